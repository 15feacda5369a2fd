import { hash } from 'node:crypto'
import { BadRequestError } from '../../bad-request-error.ts'
import { type JsonSpan, memberOf } from '../../json/index.ts'
import { editResult, textsOf } from '../shared/request/edit-result.ts'
import { type JsonObject, objectFrom, textFrom } from '../shared/request/json-value.ts'
import { shown } from '../shared/request/request-fields.ts'
import type { MessageContent, MessageFacts, MessageReader } from '../shared/request/wire-message.ts'
import type { ResultSource } from '../shared/request/wire-result.ts'
import { blocksText } from './blocks-text.ts'
import { markIn } from './cache-mark.ts'
import { mediaIn } from './media-parts.ts'
import { MESSAGE_SHAPE } from './messages-request.ts'
import { addedTools } from './request-tools.ts'
import { unmarkedDigest } from './unmarked-bytes.ts'

const NO_RESULTS: readonly ResultSource[] = []

/** The messages of Anthropic's Messages. */
export const ANTHROPIC_MESSAGES: MessageReader = {
  shape: MESSAGE_SHAPE,
  joinsAnswers: false,
  read: readMessage,
  textOf: ({ value }) => blocksText(value.content),
  resultsOf({ value: { content }, span }) {
    if (!Array.isArray(content) || !content.some(isResult)) return NO_RESULTS
    const blocks = memberOf(span, 'content')!.elements
    return content.flatMap((block, place) => (isResult(block) ? [resultOf(block, blocks[place]!)] : []))
  },
}

function readMessage({ body, value, span }: MessageContent, index: number): MessageFacts {
  const { role, content } = value
  if (typeof role !== 'string') {
    throw new BadRequestError(`messages[${index}].role`, `is ${shown(role)}, but must be "user" or "assistant"`)
  }
  const kind = role === 'assistant' ? 'assistant' : 'user'
  if (typeof content === 'string' && value.cache_control === undefined) {
    return { kind, digest: hash('sha256', body.subarray(span.start, span.end), 'base64'), media: [], cacheMark: 'none' }
  }
  readTextOrBlocks(content, `messages[${index}].content`)
  const adds = addedTools(value)
  const digest = unmarkedDigest(body, span)
  return { kind, digest, media: mediaIn(content), cacheMark: markIn(value), ...(adds === null ? {} : { adds }) }
}

/** Refuses a content that is neither a text nor a list of blocks. */
export function readTextOrBlocks(value: unknown, place: string): void {
  if (value === undefined || value === null || typeof value === 'string') return
  if (!Array.isArray(value)) {
    throw new BadRequestError(place, `is ${shown(value)}, but must be a text or a list of blocks`)
  }
  const index = value.findIndex((block) => objectFrom(block) === null)
  if (index !== -1) throw new BadRequestError(`${place}[${index}]`, `is ${shown(value[index])}, but must be an object`)
}

function isResult(block: unknown): block is JsonObject {
  return objectFrom(block)?.type === 'tool_result'
}

function resultOf(value: JsonObject, holder: JsonSpan): ResultSource {
  const place = { holder, value, field: 'content', textType: 'text' }
  return {
    toolCallId: textFrom(value.tool_use_id),
    texts: textsOf(value.content),
    write: (edits, change) => editResult(edits, place, change),
  }
}
