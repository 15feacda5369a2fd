import { eventText } from '../../answer/stream-writer.ts'
import { openAiError } from '../openai-errors.ts'
import type { ProviderDialect } from '../provider-dialect.ts'
import { answerBody } from './answer-body.ts'
import { answerPieces } from './answer-pieces.ts'
import { readRequest } from './read-request.ts'

/** OpenAI's Chat Completions. */
export const OPENAI_CHAT: ProviderDialect = {
  name: 'openai-chat',
  readRequest,
  answerBody,
  answerPieces,
  errorBody: (refusal) => ({ error: openAiError(refusal) }),
  errorEvent: (refusal) => eventText({ error: openAiError(refusal) }),
}
