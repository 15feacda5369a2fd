import { storableText } from './storable-text.ts'
import { withoutKeys } from './without-keys.ts'

const LONGEST = 2_000

/** A text from a person or a program in the form that the history stores: bounded, and without keys. Never throws. */
export function keptText(text: string): string {
  // Cut before the search, so that a huge text costs little, and in front of a word: half a key is not recognized.
  const most = 2 * LONGEST
  const cut = text.length > most ? text.slice(0, most).replace(/\S{1,500}$/, '') : text
  const bare = withoutKeys(storableText(cut))
  return bare.length > LONGEST ? storableText(`${bare.slice(0, LONGEST - 1)}…`) : bare
}
