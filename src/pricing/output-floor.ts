/** An answer of fewer tokens than this is not worth its input. */
export const SMALLEST_ANSWER = 256

/** With so many output tokens it is not worth waiting for more. */
export const OUTPUT_WORTH_WAITING_FOR = 2_048

/** The fewest output tokens that a call is still made with: a short answer, and the smallest thinking where it thinks. */
export function leastOutput(call: {
  readonly asked: number
  readonly thinkingBudget: number | null
  readonly smallestThinking: number
}): number {
  const thinking = call.thinkingBudget === null ? 0 : Math.min(call.thinkingBudget, call.smallestThinking)
  return Math.min(call.asked, thinking + SMALLEST_ANSWER)
}
