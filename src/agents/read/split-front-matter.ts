/** The parts of a text. `before + frontMatter + between + body` is the whole text, byte for byte. */
export interface SplitText {
  readonly kind: 'split'
  /** The opening `---`, with a byte order mark if there is one. */
  readonly before: string
  readonly frontMatter: string
  /** The closing `---`. */
  readonly between: string
  readonly body: string
}

/** Why a text has no valid front matter. */
export interface SplitRefusal {
  readonly kind: 'missing' | 'refused'
  readonly line: number
  readonly message: string
}

/** The line of the file that front matter begins at. */
export const FRONT_MATTER_LINE = 2

const LONGEST_FRONT_MATTER = 64 * 1024

/**
 * Splits front matter from the body. It begins with `---` at the very start and ends with a line `---` or `...`.
 * Anything else after the first `---` would name a language (`---js`) and is refused: nothing is ever run.
 */
export function splitFrontMatter(text: string): SplitText | SplitRefusal {
  const [first] = /^\uFEFF?[^\n]*\n?/.exec(text) ?? ['']
  const mark = first.replace(/^\uFEFF/, '').replace(/\r?\n$/, '')
  if (!mark.startsWith('---')) {
    const message = 'There is no front matter. Begin the file with "---", fields such as name: developer, and "---".'
    return { kind: 'missing', line: 1, message }
  }
  if (!/^---[ \t]*$/.test(mark)) {
    const shown = JSON.stringify(mark.slice(0, 40))
    const message = `${shown} does not begin front matter: write YAML between "---" and "---". No other language is read.`
    return { kind: 'refused', line: 1, message }
  }
  const end = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(text.slice(first.length, first.length + LONGEST_FRONT_MATTER))
  if (end === null) {
    const isLong = text.length > first.length + LONGEST_FRONT_MATTER
    const message = isLong
      ? `The front matter does not end within ${LONGEST_FRONT_MATTER} characters. End it with a line "---".`
      : 'The front matter does not end. End it with a line "---".'
    return { kind: 'refused', line: 1, message }
  }
  const start = first.length + end.index
  return {
    kind: 'split',
    before: first,
    frontMatter: text.slice(first.length, start),
    between: end[0],
    body: text.slice(start + end[0].length),
  }
}
