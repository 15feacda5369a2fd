/** What is known about a prompt before its provider counts it. */
interface EstimatedPrompt {
  readonly inputTokens: number
  /** The tokens of an earlier prompt that this one starts with, as counted by the provider. */
  readonly countedTokens?: number | undefined
  readonly hasMedia?: boolean | undefined
}

// Estimates are cautious: for repetitive text they may be several times too high, but never this much.
const MOST_TIMES_TOO_HIGH = 12

/**
 * Whether a provider's count is plausible for a prompt: at least what it has charged for the start of it, and not a
 * small fraction of the estimate of its text. Estimates of media are too rough to compare.
 */
export function isBelievableCount(count: number, prompt: EstimatedPrompt): boolean {
  const { inputTokens, countedTokens = 0, hasMedia = false } = prompt
  return count >= countedTokens && (hasMedia || count * MOST_TIMES_TOO_HIGH >= inputTokens)
}
