import { MESSAGES_COUNTING } from '../../../pricing/estimate/counting/messages-counting.ts'
import type { Dialect } from '../dialect.ts'
import { formatEvent } from '../shared/sse/index.ts'
import { editRequest } from './edit-request.ts'
import { errorBody } from './error-body.ts'
import { readRequest } from './read-request.ts'
import { relayAnswer } from './relay-answer.ts'
import { shortAnswer } from './short-answer.ts'

/** Anthropic's Messages. */
export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  readRequest,
  editRequest,
  relayAnswer,
  counting: MESSAGES_COUNTING,
  errorBody,
  shortAnswer,
  ping: () => Buffer.from(formatEvent('ping', '{"type": "ping"}')),
}
