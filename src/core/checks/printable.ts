// Control characters, line and paragraph separators, and marks that change the text direction.
const OBEYED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** Escapes every character that a terminal would act on. Idempotent; the result is always one line. */
export function printable(text: string): string {
  return text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
