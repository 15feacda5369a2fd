/** How many tokens a provider counted for each estimated one, of the last prompts of a kind; the newest last. */
export type SizeRatios = readonly number[]

/** A prompt that was estimated from nothing but its text, and what its provider counted. */
export interface SizedPrompt {
  readonly estimated: number
  readonly counted: number
}

const MOST_RATIOS = 8
// What a provider adds to every prompt hides how long the text of a short one is.
const SHORTEST_PROMPT = 500
// The next prompt is never quite like the last ones.
const MARGIN = 1.08

/** The ratios with what one more prompt has shown. */
export function noteSize(ratios: SizeRatios, { estimated, counted }: SizedPrompt): SizeRatios {
  if (estimated < SHORTEST_PROMPT || counted <= 0) return ratios
  return [...ratios, counted / estimated].slice(-MOST_RATIOS)
}

/**
 * The tokens of a prompt by what estimates were worth lately: by the ratio that was least in their favour. Never below
 * `floor`, since a prompt of prose says nothing of the data in the next one; never above the estimate itself.
 */
export function learnedTokens(
  { estimated, floor }: { readonly estimated: number; readonly floor: number },
  ratios: SizeRatios,
): number {
  if (ratios.length === 0) return estimated
  const learned = Math.ceil(estimated * Math.max(...ratios) * MARGIN)
  return Math.min(estimated, Math.max(floor, learned))
}
