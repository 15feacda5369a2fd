import type { RowSource } from '../../records/row-source.ts'
import type { SqlRow } from '../../records/rows/sql-row.ts'
import { type Need, RowsNotLoaded } from './need.ts'
import {
  callHoldersNeed,
  callNeed,
  callsListedNeed,
  callsOpenNeed,
  denialsNeed,
  documentNeed,
  eventsNeed,
  forgottenNeed,
  headNeed,
  historyCallsNeed,
  holderNeed,
  keptNeed,
  keyByHashNeed,
  keyNeed,
  keysListedNeed,
  ownersNeed,
  requestNeed,
  requestOpenForNeed,
  requestsListedNeed,
  requestsOpenOfNeed,
  scopeNeed,
  scopesBelowNeed,
  scopesListedNeed,
  scopesOwnedNeed,
} from './needs.ts'

/** The rows of one transaction, loaded before an operation reads them. */
export interface LoadedRows {
  /** Throws `RowsNotLoaded` for missing rows. */
  readonly source: RowSource
  has(need: Need): boolean
  take(need: Need, results: readonly (readonly SqlRow[])[]): void
  /** The rows taken under a key. */
  get<Rows>(key: string): Rows
  clear(): void
}

/** `written`: how many rows the transaction has written so far, since each may change a list. */
export function createLoadedRows(written: () => number): LoadedRows {
  const loaded = new Map<string, unknown>()
  const keyOf = ({ key, isList }: Need): string => (isList ? `${written()} ${key}` : key)

  function found<Rows>(need: Need): Rows {
    const key = keyOf(need)
    if (!loaded.has(key)) throw new RowsNotLoaded(need)
    return loaded.get(key) as Rows
  }

  return {
    has: (need) => loaded.has(keyOf(need)),
    take(need, results) {
      const own = keyOf(need)
      need.take(results, (key, rows) => void loaded.set(key === need.key ? own : key, rows))
    },
    get: <Rows>(key: string) => loaded.get(key) as Rows,
    clear: () => loaded.clear(),
    source: {
      scope: (id) => found(scopeNeed(id)),
      scopesBelow: (id) => found(scopesBelowNeed(id)),
      scopesOwnedBy: (holder) => found(scopesOwnedNeed(holder)),
      owners: () => found(ownersNeed()),
      scopesListed: (filter) => found(scopesListedNeed(filter)),
      call: (id) => found(callNeed(id)),
      callsOpenOf: (holder) => found(callsOpenNeed(holder)),
      callHolders: () => found(callHoldersNeed()),
      callsListed: (filter) => found(callsListedNeed(filter)),
      request: (id) => found(requestNeed(id)),
      requestOpenFor: (limitKey) => found(requestOpenForNeed(limitKey)),
      requestsOpenOf: (scopeId) => found(requestsOpenOfNeed(scopeId)),
      requestsListed: (filter) => found(requestsListedNeed(filter)),
      key: (id) => found(keyNeed(id)),
      keyByHash: (hash) => found(keyByHashNeed(hash)),
      keysListed: (filter) => found(keysListedNeed(filter)),
      holder: (holder) => found(holderNeed(holder)),
      document: (scopeId) => found(documentNeed(scopeId)),
      kept: (name) => found(keptNeed(name)),
      denials: (scopeId) => found(denialsNeed(scopeId)),
      events: (range) => found(eventsNeed(range)),
      historyCalls: (range, by) => found(historyCallsNeed(range, by)),
      forgotten: (rootId) => found(forgottenNeed(rootId)),
      chainHead: (rootId) => found(headNeed(rootId)),
    },
  }
}
