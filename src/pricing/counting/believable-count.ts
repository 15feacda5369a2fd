/** What is known of a prompt before its provider counts it. */
interface EstimatedPrompt {
  readonly inputTokens: number
  /** What of it the provider has counted before, in a prompt that it begins with. */
  readonly countedTokens?: number | undefined
  readonly hasMedia?: boolean | undefined
}

// An estimate is careful: of text that repeats itself it may be some times too high, and never so many.
const MOST_TIMES_TOO_HIGH = 12

/**
 * Whether a provider's count can be that of a prompt: no less than it has charged for the beginning of it, and not a
 * small part of what its text is estimated at. Of media an estimate knows too little.
 */
export function isBelievableCount(count: number, prompt: EstimatedPrompt): boolean {
  const { inputTokens, countedTokens = 0, hasMedia = false } = prompt
  return count >= countedTokens && (hasMedia || count * MOST_TIMES_TOO_HIGH >= inputTokens)
}
