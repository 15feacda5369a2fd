import { eventText } from '../../answer/stream-writer.ts'
import { openAiError } from '../openai-errors.ts'
import type { ProviderDialect } from '../provider-dialect.ts'
import { answerBody } from './answer-body.ts'
import { answerPieces } from './answer-pieces.ts'
import { COUNTING } from './counting.ts'
import { outputItems } from './output-items.ts'
import { readRequest } from './read-request.ts'

/** OpenAI's Responses. */
export const OPENAI_RESPONSES: ProviderDialect = {
  name: 'openai-responses',
  readRequest,
  counting: COUNTING,
  answerBody,
  answerPieces,
  errorBody: (refusal) => ({ error: openAiError(refusal) }),
  errorEvent: (refusal) => eventText({ type: 'error', sequence_number: 0, ...openAiError(refusal) }, 'error'),
  keptConversation: (answer) =>
    answer.request.body.store === false
      ? null
      : { id: `resp_${answer.serial}`, items: [...(answer.request.conversation ?? []), ...outputItems(answer)] },
}
