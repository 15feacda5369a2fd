/** The most that a tool shows of its output; the rest is in a file. */
export const SHOWN_CHARACTERS = 30_000
