import type { ProviderDialect } from '../provider-dialect.ts'
import { answerBody } from './answer-body.ts'
import { answerPieces } from './answer-pieces.ts'
import { COUNTING } from './counting.ts'
import { errorBody, errorEvent } from './errors.ts'
import { readRequest } from './read-request.ts'

/** Anthropic's Messages. */
export const ANTHROPIC_MESSAGES: ProviderDialect = {
  name: 'anthropic-messages',
  readRequest,
  counting: COUNTING,
  answerBody,
  answerPieces,
  errorBody,
  errorEvent,
}
