import type { Answer } from '../../answer/answer.ts'
import { reportedUsage } from '../../answer/reported-usage.ts'
import { promptTokensOf } from '../../counting/counted-usage.ts'

/** The usage after this many output tokens, as the turn wants it reported. */
export function usageOf({ usage, report }: Answer, outputTokens: number): { readonly usage?: unknown } {
  const promptTokens = promptTokensOf(usage)
  const reported = {
    prompt_tokens: promptTokens,
    completion_tokens: outputTokens,
    total_tokens: promptTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: Math.min(usage.reasoningTokens, outputTokens),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
  return reportedUsage(report, reported, 'completion_tokens')
}
