import { type ErrorCode, StintError, showValue } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'

const MOST_CANDIDATES = 10

/** The record with this id, or with an id that begins so. Throws if there is none, or more than one. */
export function findById<Item extends { readonly id: string; readonly scopePath: string }>(
  items: readonly Item[],
  text: string,
  unknown: { readonly code: ErrorCode; readonly what: string; readonly remedy: string },
): Item {
  const exact = items.find(({ id }) => id === text)
  if (exact !== undefined) return exact
  const matches = text === '' ? [] : items.filter(({ id }) => id.startsWith(text))
  if (matches.length === 1) return matches[0]!
  if (matches.length === 0) {
    throw new StintError(unknown.code, `No ${unknown.what} has the id ${showValue(text)}. ${unknown.remedy}`)
  }
  const shown = matches.slice(0, MOST_CANDIDATES).map(({ id, scopePath }) => printable(`  ${id}  ${scopePath}`))
  const rest = matches.length > shown.length ? [`  … and ${matches.length - shown.length} more`] : []
  const head = `${showValue(text)} may mean ${matches.length} of them. Give the whole id:`
  throw new StintError('ambiguous_id', [head, ...shown, ...rest].join('\n'))
}
