/** The real usage of one request. The four input counts don't overlap; reasoning is part of the output. */
export interface CountedUsage {
  readonly inputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly cacheWrite1hTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  readonly webSearches: number
}

export const NOTHING_USED: CountedUsage = {
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  webSearches: 0,
}

/** The whole prompt, cached or not. */
export function promptTokensOf(usage: CountedUsage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.cacheWrite1hTokens
}

/** The sum, field by field. */
export function addUsage(one: CountedUsage, other: CountedUsage): CountedUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    cacheWrite1hTokens: one.cacheWrite1hTokens + other.cacheWrite1hTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    webSearches: one.webSearches + other.webSearches,
  }
}
