export function isOneOf<Word>(value: unknown, words: readonly Word[]): value is Word {
  for (const word of words) if (word === value) return true
  return false
}
