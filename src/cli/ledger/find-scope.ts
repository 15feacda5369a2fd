import { isEnded, type LedgerStore, type ScopeReading, StintError, showValue, suggestName } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'

/** How many scopes are ever listed at once. */
export const MOST_SCOPES = 100_000
const MOST_CANDIDATES = 10

/**
 * The scope that a person means: by its id, its path, or the beginning of its id. Scopes that are open are meant
 * before those that have ended. Throws if there is none, or more than one.
 */
export async function findScope(store: LedgerStore, text: string, atMs: number): Promise<ScopeReading> {
  const exact = (await store.read({ scopeId: text, atMs }))?.at(-1)
  if (exact !== undefined) return exact
  const all = await store.list({ standing: 'all', most: MOST_SCOPES, atMs })
  const found = preferOpen(all.filter(({ path }) => path === text))
  const matches = found.length > 0 ? found : preferOpen(all.filter(({ id }) => text !== '' && id.startsWith(text)))
  if (matches.length === 1) return matches[0]!
  throw matches.length === 0 ? unknownScope(text, all) : ambiguousScope(text, matches)
}

function preferOpen(scopes: readonly ScopeReading[]): readonly ScopeReading[] {
  const open = scopes.filter(({ status }) => !isEnded(status))
  return open.length > 0 ? open : scopes
}

function unknownScope(text: string, all: readonly ScopeReading[]): StintError {
  const nearest = suggestName(text, [...new Set(all.flatMap(({ id, path }) => [path, id]))])
  const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
  const where = all.length === 0 ? 'The ledger is empty.' : '`stint status --all` lists them.'
  return new StintError('unknown_scope', `No scope has the id or path ${showValue(text)}.${hint} ${where}`)
}

function ambiguousScope(text: string, matches: readonly ScopeReading[]): StintError {
  const shown = matches
    .slice(0, MOST_CANDIDATES)
    .map(({ id, path, status }) => printable(`  ${id}  ${path}  ${status}`))
  const left = matches.length - shown.length
  const rest = left === 0 ? [] : [`  … and ${left} more`]
  const head = `${showValue(text)} may mean ${matches.length} scopes. Give the id of one of them:`
  return new StintError('ambiguous_id', [head, ...shown, ...rest].join('\n'))
}
