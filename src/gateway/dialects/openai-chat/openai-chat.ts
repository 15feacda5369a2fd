import type { Dialect } from '../dialect.ts'
import { openAiErrorBody } from '../shared/openai/error-body.ts'
import { editRequest } from './edit-request.ts'
import { readRequest } from './read-request.ts'
import { relayAnswer } from './relay-answer.ts'
import { shortAnswer } from './short-answer.ts'

/** OpenAI's chat completions, which many other providers support too. */
export const openAiChat: Dialect = {
  name: 'openai-chat',
  readRequest,
  editRequest,
  relayAnswer,
  counting: null,
  errorBody: openAiErrorBody,
  shortAnswer,
  ping: () => Buffer.from(': ping\n\n'),
}
