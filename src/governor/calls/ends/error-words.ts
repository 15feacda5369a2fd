import { showValue } from '../../../core/index.ts'
import { printable } from '../../../core/printable.ts'

const LONGEST_WORDS = 300

/** What an error says, short enough for the records and on one line. */
export function errorWords(error: unknown): string {
  const words = error instanceof Error ? error.message : showValue(error)
  return printable(words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words)
}
