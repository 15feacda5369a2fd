import type { AnswerRelay, RelayOptions, WireRequest } from '../dialect.ts'
import { followWhole } from '../shared/answer/follow-whole.ts'
import type { MutableJson } from '../shared/answer/followed-answer.ts'
import { followStream } from '../shared/openai/follow-stream.ts'
import { createChatAnswer } from './chat-answer.ts'

/** Follows the answer to a request on its way to the client. */
export function relayAnswer(request: WireRequest, options: RelayOptions): AnswerRelay {
  const isWhole = !options.isEventStream
  const answer = createChatAnswer(request, isWhole ? { ...options, hidesUsage: false } : options)
  if (isWhole) return followWhole(answer, options)
  return followStream(answer, options.hidesUsage ? { ...options, sameBytes: withoutNullUsage } : options)
}

const NULL_USAGE = Buffer.from(',"usage":null')

/** If a usage chunk is requested, all other chunks have the field with the value null. */
function withoutNullUsage(bytes: Buffer, chunk: MutableJson): Buffer {
  if (chunk.usage !== null) return bytes
  const start = bytes.indexOf(NULL_USAGE)
  // These bytes cannot occur inside a string, so a single match is the field itself.
  if (start === -1 || bytes.indexOf(NULL_USAGE, start + 1) !== -1) return bytes
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + NULL_USAGE.length)])
}
