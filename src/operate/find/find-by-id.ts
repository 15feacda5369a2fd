import { type ErrorCode, StintError, showValue } from '../../core/index.ts'
import { ambiguousId, MOST_CANDIDATES } from './ambiguous-id.ts'

/** The record with this id, or with an id that starts so. Throws if there is none, or more than one. */
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
  const lines = matches.slice(0, MOST_CANDIDATES).map(({ id, scopePath }) => `${id}  ${scopePath}`)
  throw ambiguousId(text, `${unknown.what}s`, lines, matches.length)
}
