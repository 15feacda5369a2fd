// Prose and data differ in how far an estimate errs on them, and what is left out is mostly data.
const EDIT_MARGIN = 1.03

/**
 * The tokens of a prompt that was edited, where more is `known` of the original than its estimate. An estimate errs
 * alike on both, so that what is known of the one tells how far it errs on the other.
 */
export function editedTokens(estimates: { readonly original: number; readonly edited: number }, known: number): number {
  const { original, edited } = estimates
  return Math.min(edited, Math.ceil((known * edited * EDIT_MARGIN) / Math.max(1, original)))
}
