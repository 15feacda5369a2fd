/** What one model call used, in the one form that every source is brought to. All integers; no token is in two fields. */
export interface Usage {
  /** Plain input: neither read from a cache nor written to one. */
  readonly inputTokens: number
  /** Everything the model wrote, reasoning included. */
  readonly outputTokens: number
  readonly cacheReadTokens: number
  /** Written with the provider's short lifetime (5 minutes at Anthropic). */
  readonly cacheWriteTokens: number
  /** Written with the long lifetime (1 hour at Anthropic); none of them is in `cacheWriteTokens`. */
  readonly cacheWrite1hTokens: number
  /** The part of `outputTokens` that was reasoning. */
  readonly reasoningTokens: number
}

/** A usage with zeros where `partial` says nothing. */
export function completeUsage(partial: Partial<Usage>): Usage {
  return {
    inputTokens: partial.inputTokens ?? 0,
    outputTokens: partial.outputTokens ?? 0,
    cacheReadTokens: partial.cacheReadTokens ?? 0,
    cacheWriteTokens: partial.cacheWriteTokens ?? 0,
    cacheWrite1hTokens: partial.cacheWrite1hTokens ?? 0,
    reasoningTokens: partial.reasoningTokens ?? 0,
  }
}

/** The whole prompt, cached or not: what price tiers look at. */
export function promptTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.cacheWrite1hTokens
}
