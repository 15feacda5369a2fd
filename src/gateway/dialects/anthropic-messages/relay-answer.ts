import type { AnswerRelay, RelayOptions, WireRequest } from '../dialect.ts'
import { createAnswerSoFar } from './answer-so-far.ts'
import type { MessagesRequest } from './messages-request.ts'
import { relayMessage } from './relay-message.ts'
import { relayStream } from './relay-stream.ts'

/** Follows the answer to a request on its way to the client. */
export function relayAnswer(request: WireRequest, options: RelayOptions): AnswerRelay {
  const answer = createAnswerSoFar(request as MessagesRequest, options)
  return options.isEventStream ? relayStream(answer, options) : relayMessage(answer, options)
}
