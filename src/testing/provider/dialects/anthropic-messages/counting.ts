import { type JsonObject, textOf } from '../../json/json-value.ts'
import { badRequest } from '../../provider-refusal.ts'
import type { DialectCounting } from '../provider-dialect.ts'
import { FIELDS } from './fields.ts'
import { readRequest } from './read-request.ts'

// The fields that count. Others, e.g. the cap, are refused, even with a beta.
const COUNTED: ReadonlySet<string> = new Set([
  'cache_control',
  'messages',
  'model',
  'output_config',
  'speed',
  'system',
  'thinking',
  'tool_choice',
  'tools',
])

/** `POST /v1/messages/count_tokens`. */
export const COUNTING: DialectCounting = {
  readRequest(body, context) {
    const extra = Object.keys(body).find((field) => FIELDS.has(field) && !COUNTED.has(field))
    if (extra !== undefined) badRequest(`${extra}: Extra inputs are not permitted`)
    // The checks of a call, with the model's largest cap, since a count has none.
    const max_tokens = context.modelOf(textOf(body.model))?.maxOutputTokens ?? 1
    return readRequest({ ...body, max_tokens }, context)
  },
  answerBody: (input_tokens): JsonObject => ({ input_tokens }),
}
