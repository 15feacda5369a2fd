import type { JsonObject } from '../../json/json-value.ts'
import { badRequest } from '../../provider-refusal.ts'
import type { DialectCounting } from '../provider-dialect.ts'
import { readRequest } from './read-request.ts'

// As published. Codex's additional fields are refused here.
const COUNTED: ReadonlySet<string> = new Set([
  'conversation',
  'input',
  'instructions',
  'model',
  'parallel_tool_calls',
  'personality',
  'previous_response_id',
  'reasoning',
  'text',
  'tool_choice',
  'tools',
  'truncation',
])

/** `POST /v1/responses/input_tokens`. */
export const COUNTING: DialectCounting = {
  readRequest(body, context) {
    const extra = Object.keys(body).find((field) => !COUNTED.has(field))
    if (extra !== undefined) {
      badRequest(`Unknown parameter: '${extra}'.`, { param: extra, code: 'unknown_parameter' })
    }
    const { personality: _, ...known } = body
    return readRequest(known, context)
  },
  answerBody: (input_tokens): JsonObject => ({ object: 'response.input_tokens', input_tokens }),
}
