/** The size of a search result or fetched page without a known bound: a page or two of results. */
export const TOKENS_OF_RESULT = 10_000

/**
 * What a provider reads besides the prompt when it runs its own tools `uses` times within one request: after each use
 * the whole prompt again, with all results so far.
 */
export function readAgain(inputTokens: number, uses: number, resultTokens: number = TOKENS_OF_RESULT): number {
  return uses * inputTokens + (resultTokens * uses * (uses + 1)) / 2
}
