/** Tokens that a provider counted per estimated token, for the latest prompts of a kind; newest last. */
export type SizeRatios = readonly number[]

/** A prompt whose size was estimated only from its text, and the provider's count. */
export interface SizedPrompt {
  readonly estimated: number
  readonly counted: number
}

const MOST_RATIOS = 8
// In a shorter prompt, what a provider adds to every prompt hides the length of the text.
const SHORTEST_PROMPT = 500
// The next prompt is never quite like the previous ones.
const MARGIN = 1.08

/** The ratios including one more prompt. */
export function noteSize(ratios: SizeRatios, { estimated, counted }: SizedPrompt): SizeRatios {
  if (estimated < SHORTEST_PROMPT || counted <= 0) return ratios
  return [...ratios, counted / estimated].slice(-MOST_RATIOS)
}

/**
 * The tokens of a prompt by the accuracy of recent estimates, using the least favorable ratio. Never below `floor`,
 * since a prompt of prose says nothing about the data in the next one; never above the estimate itself.
 */
export function learnedTokens(
  { estimated, floor }: { readonly estimated: number; readonly floor: number },
  ratios: SizeRatios,
): number {
  if (ratios.length === 0) return estimated
  const learned = Math.ceil(estimated * Math.max(...ratios) * MARGIN)
  return Math.min(estimated, Math.max(floor, learned))
}
