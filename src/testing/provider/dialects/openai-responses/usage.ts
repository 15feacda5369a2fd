import type { Answer } from '../../answer/answer.ts'
import { reportedUsage } from '../../answer/reported-usage.ts'
import { promptTokensOf } from '../../counting/counted-usage.ts'

/** The usage after this many output tokens, as the turn wants it reported. */
export function usageOf({ usage, report }: Answer, outputTokens: number): { readonly usage?: unknown } {
  const promptTokens = promptTokensOf(usage)
  const told = {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: Math.min(usage.reasoningTokens, outputTokens) },
    total_tokens: promptTokens + outputTokens,
  }
  return reportedUsage(report, told, 'output_tokens')
}
