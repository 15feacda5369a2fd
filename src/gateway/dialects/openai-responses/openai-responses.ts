import { RESPONSES_COUNTING } from '../../../pricing/estimate/counting/responses-counting.ts'
import type { Dialect } from '../dialect.ts'
import { openAiErrorBody } from '../shared/openai/error-body.ts'
import { editRequest } from './edit-request.ts'
import { readRequest } from './read-request.ts'
import { relayAnswer } from './relay-answer.ts'
import { shortAnswer } from './short-answer.ts'

/** OpenAI's responses, which Codex uses. */
export const openAiResponses: Dialect = {
  name: 'openai-responses',
  readRequest,
  editRequest,
  relayAnswer,
  counting: RESPONSES_COUNTING,
  errorBody: openAiErrorBody,
  shortAnswer,
  ping: () => Buffer.from(': ping\n\n'),
}
