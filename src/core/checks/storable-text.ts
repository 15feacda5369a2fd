import { showValue } from '../errors.ts'
import { InvalidOptionError } from './invalid-option-error.ts'

// The longest reason or person's name that a ledger keeps; longer text is cut.
const LONGEST_FREE_TEXT = 10_000
const LONGEST_ID = 1_000

/**
 * Whether every store returns `text` unchanged. An unpaired surrogate has no UTF-8 form, so a database would store
 * other text, and some libraries end a text at a NUL.
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/**
 * Throws `InvalidOptionError` unless `text` has `least` to `longest` characters that every store keeps unchanged. The
 * defaults are those of an id, which can't be empty.
 */
export function assertStorableText(
  text: unknown,
  place: string,
  { least = 1, longest = LONGEST_ID }: { readonly least?: number; readonly longest?: number } = {},
): asserts text is string {
  if (typeof text !== 'string' || text.length < least || text.length > longest) {
    throw new InvalidOptionError(place, text, `text of ${least} to ${longest} characters`)
  }
  if (isStorableText(text)) return
  const form =
    'text without a NUL and without half of a character, which a ledger cannot store ' +
    '(text cut in the middle of an emoji has one: use text.toWellFormed())'
  throw new InvalidOptionError(place, text, form)
}

/**
 * Free text in a form that a ledger can keep: unstorable characters become U+FFFD, and very long text is cut. Never
 * throws: no operation is refused because of its description.
 */
export function storableText(text: string): string {
  // Untyped programs may pass anything.
  const given: string = typeof text === 'string' ? text : showValue(text)
  const bounded = given.length > LONGEST_FREE_TEXT ? `${given.slice(0, LONGEST_FREE_TEXT - 1)}…` : given
  return isStorableText(bounded) ? bounded : bounded.toWellFormed().replaceAll('\0', '\ufffd')
}

/** Like `storableText`, for text that may be missing. */
export function storableTextOrNull(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : storableText(text)
}
