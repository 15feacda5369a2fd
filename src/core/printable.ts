// Control characters, line and paragraph separators, and the marks that turn the direction of the text after them.
const OBEYED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** The text with everything that a terminal would obey shown as an escape instead. Idempotent; never breaks a line. */
export function printable(text: string): string {
  return text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
