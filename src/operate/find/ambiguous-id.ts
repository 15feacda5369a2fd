import { printable } from '../../core/checks/printable.ts'
import { StintError, showValue } from '../../core/index.ts'

/** How many candidates a message lists. */
export const MOST_CANDIDATES = 10

/** For an ambiguous text. `lines` are the first of `total` candidates. */
export function ambiguousId(text: string, what: string, lines: readonly string[], total: number): StintError {
  const rest = total > lines.length ? [`  … and ${total - lines.length} more`] : []
  const head = `${showValue(text)} may mean ${total} ${what}. Give the whole id of one of them:`
  return new StintError('ambiguous_id', [head, ...lines.map((line) => printable(`  ${line}`)), ...rest].join('\n'))
}
