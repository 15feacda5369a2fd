import { printable } from '../../../core/checks/printable.ts'
import { showValue } from '../../../core/index.ts'

const LONGEST_WORDS = 300

/** The message of an error on one line, short enough for the records. */
export function errorWords(error: unknown): string {
  const words = error instanceof Error ? error.message : showValue(error)
  return printable(words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words)
}
