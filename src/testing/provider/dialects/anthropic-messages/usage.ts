import type { Answer } from '../../answer/answer.ts'
import { reportedUsage } from '../../answer/reported-usage.ts'
import type { JsonObject } from '../../json/json-value.ts'

/** The usage after this many output tokens, as the turn wants it reported. */
export function usageOf({ usage, report }: Answer, outputTokens: number): { readonly usage?: unknown } {
  const reported: JsonObject = {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens + usage.cacheWrite1hTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWriteTokens,
      ephemeral_1h_input_tokens: usage.cacheWrite1hTokens,
    },
    output_tokens: outputTokens,
    server_tool_use: usage.webSearches === 0 ? null : { web_search_requests: usage.webSearches, web_fetch_requests: 0 },
    service_tier: 'standard',
  }
  return reportedUsage(report, reported, 'output_tokens')
}
