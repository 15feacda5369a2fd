// Estimates are off by different factors for prose and data, and what is removed is mostly data.
const EDIT_MARGIN = 1.03

/**
 * The tokens of an edited prompt if the size of the original is `known` better than by estimate. An estimate is off by
 * about the same factor for both, so the known size corrects it.
 */
export function editedTokens(estimates: { readonly original: number; readonly edited: number }, known: number): number {
  const { original, edited } = estimates
  return Math.min(edited, Math.ceil((known * edited * EDIT_MARGIN) / Math.max(1, original)))
}
