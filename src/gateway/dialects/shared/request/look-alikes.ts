import { BadRequestError } from '../../../bad-request-error.ts'
import type { JsonSpan } from '../../../json/index.ts'

// The top-level fields that the dialects read or bound.
const FIELDS: ReadonlySet<string> = new Set(
  `background best_of cache_control compaction container context_management conversation fallbacks function_call
  functions inference_geo input instructions max_completion_tokens max_output_tokens max_tokens max_tool_calls
  mcp_servers messages modalities model models n output_config output_format parallel_tool_calls plugins prediction
  previous_response_id prompt reasoning reasoning_effort response_format search_parameters service_tier speed stream
  stream_options system text thinking thread tool_choice tools web_search_options`.split(/\s+/),
)
const PLAIN = /^[a-z0-9_]*$/

/**
 * Refuses fields like `Max_Tokens`: servers written in Go ignore case in field names, so what we count would differ
 * from what they do.
 */
export function refuseLookAlikes(root: JsonSpan): void {
  for (const { key } of root.members) {
    if (PLAIN.test(key)) continue
    const field = foldCase(Buffer.from(key, 'latin1').toString('utf8'))
    if (FIELDS.has(field)) throw new BadRequestError(field, 'is not in lower case: write it as shown here')
  }
}

/** As Go compares names: `ſ` equals `s`, and the Kelvin sign equals `k`. */
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase()
}
