const MOST_CHARACTERS = 100_000

/** The text of an answer with this piece appended, up to a bound. */
export function extendText(before: string, added: string): string {
  return before.length < MOST_CHARACTERS ? before + added.slice(0, MOST_CHARACTERS - before.length) : before
}
