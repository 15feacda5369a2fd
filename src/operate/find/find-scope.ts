import { type LedgerStore, type ScopeReading, StintError, showValue, suggestName } from '../../core/index.ts'
import type { LedgerReader } from '../operator.ts'
import { ambiguousId, MOST_CANDIDATES } from './ambiguous-id.ts'
import { beginningWith, groupIdOf } from './beginning-with.ts'

/** The most scopes that are ever listed at once. */
export const MOST_SCOPES = 100_000
// A suggestion is a courtesy: it must not cost more than the look-up that failed.
const MOST_SUGGESTED_FROM = 1000

/**
 * Finds a scope by its id, its path, or the start of its id. Open scopes win over ended ones. Throws if none matches,
 * or more than one.
 */
export async function findScope({ store, nowMs }: LedgerReader, text: string): Promise<ScopeReading> {
  const atMs = nowMs()
  const exact = (await store.read({ scopeId: text, atMs }))?.at(-1)
  if (exact !== undefined) return exact
  for (const lookup of text === '' ? [] : [{ path: text }, { idPrefix: groupIdOf(text) }]) {
    for (const standing of ['open', 'ended'] as const) {
      const filter = { standing, ...lookup }
      const found = await store.list({ ...filter, most: MOST_CANDIDATES, atMs })
      const isGroup = 'idPrefix' in lookup && [text, ...found.map(({ id }) => id)].some((id) => groupIdOf(id) !== id)
      // A group may have many agents, so the first few are not enough to choose from.
      const all = isGroup ? await store.list({ ...filter, most: MOST_SCOPES, atMs }) : found
      const matches = isGroup ? beginningWith(all, text) : found
      if (matches.length === 1) return matches[0]!
      if (matches.length === 0) continue
      const lines = matches.slice(0, MOST_CANDIDATES).map(({ id, path, status }) => `${id}  ${path}  ${status}`)
      throw ambiguousId(text, 'scopes', lines, isGroup ? matches.length : await store.count(filter))
    }
  }
  throw await unknownScope(store, text, atMs)
}

async function unknownScope(store: LedgerStore, text: string, atMs: number): Promise<StintError> {
  const open = await store.list({ standing: 'open', most: MOST_SUGGESTED_FROM, atMs })
  const nearest = suggestName(text, [...new Set(open.flatMap(({ id, path }) => [path, id]))])
  const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
  const isEmpty = (await store.list({ standing: 'all', most: 1, atMs })).length === 0
  const where = isEmpty ? 'The ledger is empty.' : '`stint status --all` lists them.'
  return new StintError('unknown_scope', `No scope has the id or path ${showValue(text)}.${hint} ${where}`)
}
