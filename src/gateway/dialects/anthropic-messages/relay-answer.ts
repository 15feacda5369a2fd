import type { AnswerRelay, RelayOptions, WireRequest } from '../dialect.ts'
import { createAnswerSoFar, readingOf } from './answer-so-far.ts'
import { relayMessage } from './relay-message.ts'
import { relayStream } from './relay-stream.ts'

/** Follows the answer to a request on its way to the client. */
export function relayAnswer(request: WireRequest, options: RelayOptions): AnswerRelay {
  const answer = createAnswerSoFar(request, options)
  const reading = () => readingOf(answer, request)
  return options.isEventStream ? relayStream(answer, options, reading) : relayMessage(answer, options, reading)
}
