import type { AnswerRelay, RelayOptions, WireRequest } from '../dialect.ts'
import { followWhole } from '../shared/answer/follow-whole.ts'
import { followStream } from '../shared/openai/follow-stream.ts'
import { createResponsesAnswer } from './responses-answer.ts'
import type { ResponsesRequest } from './responses-request.ts'

/** Follows the answer to a request on its way to the client. */
export function relayAnswer(request: WireRequest, options: RelayOptions): AnswerRelay {
  const answer = createResponsesAnswer(request as ResponsesRequest, options)
  return options.isEventStream ? followStream(answer, { ...options, hidesUsage: false }) : followWhole(answer, options)
}
