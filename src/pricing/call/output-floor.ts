/** A shorter answer isn't worth its input. */
export const SMALLEST_ANSWER = 256

/** With this many output tokens it isn't worth waiting for more. */
export const OUTPUT_WORTH_WAITING_FOR = 2_048

/**
 * The fewest output tokens that a call is made with: a short answer, plus the smallest thinking budget if it thinks.
 */
export function leastOutput(call: {
  readonly maxOutputTokens: number
  readonly thinkingBudget: number | null
  readonly smallestThinking: number
}): number {
  const thinking = call.thinkingBudget === null ? 0 : Math.min(call.thinkingBudget, call.smallestThinking)
  return Math.min(call.maxOutputTokens, thinking + SMALLEST_ANSWER)
}
