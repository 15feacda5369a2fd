import { BadRequestError } from '../../bad-request-error.ts'
import type { JsonSpan } from '../../json/index.ts'

// What the dialects look at, or bound, at the top of a request.
const FIELDS: ReadonlySet<string> = new Set(
  `background best_of cache_control compaction container context_management conversation fallbacks function_call
  functions inference_geo input instructions max_completion_tokens max_output_tokens max_tokens max_tool_calls
  mcp_servers messages modalities model models n output_config output_format parallel_tool_calls plugins prediction
  previous_response_id prompt reasoning reasoning_effort response_format search_parameters service_tier speed stream
  stream_options system text thinking thread tool_choice tools web_search_options`.split(/\s+/),
)
const PLAIN = /^[a-z0-9_]*$/

/**
 * Refuses fields like `Max_Tokens`: servers that are written in Go read them as if they were in small letters, so that
 * what we count would not be what they do.
 */
export function refuseLookAlikes(root: JsonSpan): void {
  for (const { key } of root.members) {
    if (PLAIN.test(key)) continue
    const field = foldCase(Buffer.from(key, 'latin1').toString('utf8'))
    if (FIELDS.has(field)) throw new BadRequestError(field, 'is not written in small letters: write it as it is here')
  }
}

/** As Go compares names: also `ſ` is an `s`, and the sign of the Kelvin a `k`. */
function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase()
}
