import type { CacheMark } from '../../../pricing/index.ts'
import { contentText } from '../openai/content-text.ts'
import { partDigest, partMedia, sha256 } from '../openai/prompt-part.ts'
import type { FoundMedia } from '../request/encoded-file.ts'
import { type JsonObject, objectFrom, objectsFrom, textFrom } from '../request/json-value.ts'
import { type MessagePlace, WireMessage } from '../request/wire-message.ts'
import type { ResultSource } from '../request/wire-result.ts'
import { resultTextsIn, writeResult } from './edit-results.ts'
import { isModelItem, isSystemItem, isToolResult, toolCallIdOf } from './input-items.ts'

const NO_RESULTS: readonly ResultSource[] = []
const UNSEEN: readonly FoundMedia[] = [{ part: { kind: 'other', bytes: null }, bodyBytes: 0 }]

/** An item of the input. */
export class InputItem extends WireMessage {
  /** Of a kind whose text is all that it is. */
  readonly #bytes: Buffer | null

  constructor(place: MessagePlace) {
    const { value, body, span } = place
    super(isSystemItem(value) ? 'system' : isModelItem(value) ? 'assistant' : 'user', place)
    // A copy: the body is let go of.
    this.#bytes = TEXTS.has(value.type) ? null : Buffer.from(body.subarray(span.start, span.end))
  }

  text(): string {
    if (isUnseen(this.value)) return ''
    return this.#bytes === null ? itemText(this.value) : this.#bytes.toString()
  }

  protected readDigest(body: Buffer): string {
    if (isUnseen(this.value)) return sha256(`unseen ${textFrom(this.value.id)}`)
    return partDigest(body.subarray(this.span.start, this.span.end), this.value)
  }

  protected readMedia(): readonly FoundMedia[] {
    const { value } = this
    if (isUnseen(value)) return UNSEEN
    const output = objectFrom(value.output)
    const contents = [...objectsFrom(value.content), ...objectsFrom(value.output), ...(output === null ? [] : [output])]
    return partMedia(value, contents)
  }

  protected readCacheMark(): CacheMark {
    return 'none'
  }

  results(): readonly ResultSource[] {
    const { value, span } = this
    if (!isToolResult(value)) return NO_RESULTS
    const result: ResultSource = {
      toolCallId: toolCallIdOf(value),
      texts: resultTextsIn(value),
      write: (edits, change) => writeResult(edits, span, value, change),
    }
    return [result]
  }
}

/** What is in no body: an item that the provider keeps. */
function isUnseen({ type, role }: JsonObject): boolean {
  return type === 'item_reference' || (type === undefined && role === undefined)
}

const TEXTS: ReadonlySet<unknown> = new Set([
  undefined,
  'message',
  'item_reference',
  'function_call',
  'custom_tool_call',
  'function_call_output',
  'custom_tool_call_output',
  'computer_call_output',
])

function itemText(item: JsonObject): string {
  const { type = 'message' } = item
  if (type === 'message') return contentText(item.content)
  if (type === 'function_call') return `${textFrom(item.name)} ${textFrom(item.arguments)}`
  if (type === 'custom_tool_call') return `${textFrom(item.name)} ${textFrom(item.input)}`
  return type === 'computer_call_output' ? '' : contentText(item.output)
}
