import { printable } from '../../core/checks/printable.ts'
import { StintError, showValue } from '../../core/index.ts'

/** How many of the things that a text may mean are named. */
export const MOST_CANDIDATES = 10

/** For a text that may mean several things. `lines` are the first of `total`. */
export function ambiguousId(text: string, what: string, lines: readonly string[], total: number): StintError {
  const rest = total > lines.length ? [`  … and ${total - lines.length} more`] : []
  const head = `${showValue(text)} may mean ${total} ${what}. Give the whole id of one of them:`
  return new StintError('ambiguous_id', [head, ...lines.map((line) => printable(`  ${line}`)), ...rest].join('\n'))
}
