/** What a search or a fetched page brings in, where nobody bounds it: a page or two of results. */
export const TOKENS_OF_RESULT = 10_000

/**
 * What a provider reads beside the prompt when it runs its own tools `uses` times within one request: the whole prompt
 * again after each, and with it all that they have brought in so far.
 */
export function readAgain(inputTokens: number, uses: number, resultTokens: number = TOKENS_OF_RESULT): number {
  return uses * inputTokens + (resultTokens * uses * (uses + 1)) / 2
}
