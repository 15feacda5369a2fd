import type { TokenCounting } from './token-counting.ts'

/** `POST /v1/responses/input_tokens`. */
export const RESPONSES_COUNTING: TokenCounting = {
  route: '/input_tokens',
  fields: new Set([
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
  ]),
}
