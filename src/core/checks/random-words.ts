import { REMOVED } from './removed-text.ts'

const WORD = /[A-Za-z0-9_+=-]{20,}/g
// Base64 may contain slashes, like a path.
const WITH_SLASHES = /(?<![\w/+=.-])[A-Za-z0-9+][A-Za-z0-9/+]{30,}={0,2}(?![\w/+=.-])/g

/** The text without long random-looking words: mixed case with digits, or hexadecimal. */
export function withoutRandomWords(text: string): string {
  return text
    .replace(WITH_SLASHES, (word) => (kindsIn(word) === 3 && changesOf(word) >= leastChanges(word) ? REMOVED : word))
    .replace(WORD, (word) => (looksRandom(word) ? REMOVED : word))
}

// The id of a run is kept.
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

// An AWS secret key has 40 characters.
function leastChanges({ length }: string): number {
  return length === 40 ? 0.15 : 0.35
}

function looksRandom(word: string): boolean {
  if (UUID.test(word)) return false
  if (/^[0-9a-f]+$/i.test(word)) return word.length >= 32 && /\d/.test(word)
  if (!/\d/.test(word)) return false
  const kinds = kindsIn(word)
  if (word.length >= 32 && kinds === 3) return true
  return changesOf(word) >= (kinds === 3 ? 0.35 : 0.3)
}

/** How many of the three kinds it has: lower case, upper case, digits. */
function kindsIn(word: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(word)).length
}

/** How often it switches between letters and digits, or between cases, per character. Words and dates rarely do. */
function changesOf(word: string): number {
  let changes = 0
  for (let at = 1; at < word.length; at++) {
    const [left, right] = [kindOf(word[at - 1]!), kindOf(word[at]!)]
    if (left !== right && left !== 'other' && right !== 'other') changes++
  }
  return changes / word.length
}

function kindOf(character: string): 'lower' | 'upper' | 'digit' | 'other' {
  if (character >= 'a' && character <= 'z') return 'lower'
  if (character >= 'A' && character <= 'Z') return 'upper'
  return character >= '0' && character <= '9' ? 'digit' : 'other'
}
