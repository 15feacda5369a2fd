import { followWhole } from '../answer/follow-whole.ts'
import type { MutableJson } from '../answer/followed-answer.ts'
import type { AnswerRelay, RelayOptions, WireRequest } from '../dialect.ts'
import { followStream } from '../openai/follow-stream.ts'
import { createChatAnswer } from './chat-answer.ts'

/** Follows the answer to a request on its way to the client. */
export function relayAnswer(request: WireRequest, options: RelayOptions): AnswerRelay {
  const isWhole = !options.isEventStream
  const answer = createChatAnswer(request, isWhole ? { ...options, hidesUsage: false } : options)
  if (isWhole) return followWhole(answer, options)
  return followStream(answer, options.hidesUsage ? { ...options, sameBytes: withoutNullUsage } : options)
}

const NULL_USAGE = Buffer.from(',"usage":null')

/** With the usage chunk comes a field in all the others that only says that it is not this one. */
function withoutNullUsage(bytes: Buffer, chunk: MutableJson): Buffer {
  if (chunk.usage !== null) return bytes
  const start = bytes.indexOf(NULL_USAGE)
  // Between quotes these bytes cannot stand, so that the only ones are the field.
  if (start === -1 || bytes.indexOf(NULL_USAGE, start + 1) !== -1) return bytes
  return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + NULL_USAGE.length)])
}
