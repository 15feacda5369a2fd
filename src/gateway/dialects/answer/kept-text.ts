const MOST_CHARACTERS = 100_000

/** What an answer said, cut at a bound. */
export interface KeptText {
  add(text: string): void
  text(): string
}

/** Keeps the beginning of a text that comes in pieces. */
export function createKeptText(mostCharacters = MOST_CHARACTERS): KeptText {
  let kept = ''
  return {
    add(text) {
      if (kept.length < mostCharacters) kept += text.slice(0, mostCharacters - kept.length)
    },
    text: () => kept,
  }
}
