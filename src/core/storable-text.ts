import { showValue } from './errors.ts'
import { InvalidOptionError } from './invalid-option-error.ts'

// The longest reason or name of a person that a ledger keeps; the rest is cut off.
const LONGEST_FREE_TEXT = 10_000

/**
 * Whether every store gives `text` back as it was. Half of a surrogate pair has no form in UTF-8, so a database keeps
 * another text in its place, and some libraries end a text at a NUL.
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Throws `InvalidOptionError` unless `text` is `least` to `longest` characters that every store keeps as they are. */
export function assertStorableText(
  text: unknown,
  place: string,
  { least = 1, longest }: { readonly least?: number; readonly longest: number },
): asserts text is string {
  if (typeof text !== 'string' || text.length < least || text.length > longest) {
    throw new InvalidOptionError(place, text, `text of ${least} to ${longest} characters`)
  }
  if (isStorableText(text)) return
  const form =
    'text without a NUL and without half of a character, which a ledger could not keep ' +
    '(text that is cut in the middle of an emoji has one: use text.toWellFormed())'
  throw new InvalidOptionError(place, text, form)
}

/**
 * Free text as a ledger keeps it: what no store could keep becomes U+FFFD, and the rest of a very long one is cut off.
 * Never throws, since nothing is refused because of what people say about it.
 */
export function storableText(text: string): string {
  // Programs without types may hand over anything.
  const given: string = typeof text === 'string' ? text : showValue(text)
  const bounded = given.length > LONGEST_FREE_TEXT ? `${given.slice(0, LONGEST_FREE_TEXT - 1)}…` : given
  return isStorableText(bounded) ? bounded : bounded.toWellFormed().replaceAll('\0', '\ufffd')
}

/** The same of text that may be missing. */
export function storableTextOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : storableText(text)
}
