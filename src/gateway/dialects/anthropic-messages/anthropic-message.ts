import type { CacheMark } from '../../../pricing/index.ts'
import { type JsonSpan, memberOf } from '../../json/index.ts'
import { editResult, textsOf } from '../request/edit-result.ts'
import type { FoundMedia } from '../request/encoded-file.ts'
import { type JsonObject, textFrom } from '../request/json-value.ts'
import { type MessagePlace, WireMessage } from '../request/wire-message.ts'
import type { ResultSource } from '../request/wire-result.ts'
import { blocksText } from './blocks-text.ts'
import { markIn } from './cache-mark.ts'
import { mediaIn } from './media-parts.ts'
import { addedTools } from './request-tools.ts'
import { unmarkedDigest } from './unmarked-bytes.ts'

const NO_RESULTS: readonly ResultSource[] = []

/** A message of Anthropic's Messages. */
export class AnthropicMessage extends WireMessage {
  #added: readonly JsonObject[] | null = null

  constructor(place: MessagePlace) {
    super(place.value.role === 'assistant' ? 'assistant' : 'user', place)
  }

  /** Tools that come up with it. */
  get addedTools(): readonly JsonObject[] {
    this.#added ??= addedTools(this.value)
    return this.#added
  }

  text(): string {
    return blocksText(this.value.content)
  }

  protected readDigest(body: Buffer): string {
    return unmarkedDigest(body, this.span)
  }

  protected readMedia(): readonly FoundMedia[] {
    return mediaIn(this.value.content)
  }

  protected readCacheMark(): CacheMark {
    return markIn(this.value)
  }

  results(): readonly ResultSource[] {
    const { content } = this.value
    if (!Array.isArray(content) || !content.some(isResult)) return NO_RESULTS
    const blocks = memberOf(this.span, 'content')!.elements
    return (content as readonly JsonObject[]).flatMap((block, place) =>
      isResult(block) ? [resultOf(block, blocks[place]!)] : [],
    )
  }
}

function isResult({ type }: JsonObject): boolean {
  return type === 'tool_result'
}

function resultOf(value: JsonObject, holder: JsonSpan): ResultSource {
  const place = { holder, value, field: 'content', textType: 'text' }
  return {
    toolCallId: textFrom(value.tool_use_id),
    texts: textsOf(value.content),
    write: (edits, change) => editResult(edits, place, change),
  }
}
