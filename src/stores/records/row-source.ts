import type { KeyFilter, ListFilter, RequestFilter, ReservationFilter } from '../../core/index.ts'
import type { HistoryRange } from '../operations/state/ledger.ts'
import type { ChainHead } from './journal/chain-head.ts'
import type { StoredScope } from './rows/scope-row.ts'
import type { SqlRow } from './rows/sql-row.ts'

/**
 * The rows of a ledger, as an operation reads them. Synchronous: a file is read on demand; a store whose database
 * answers later loads what an operation needs first, as the Postgres store does.
 */
export interface RowSource {
  scope(id: string): StoredScope | undefined
  /** The ids of the scopes directly below that have not ended, in the order in which they were opened. */
  scopesBelow(id: string): readonly string[]
  /** The same for the scopes of an owner. */
  scopesOwnedBy(holder: string): readonly string[]
  owners(): readonly string[]
  scopesListed(filter: Omit<ListFilter, 'atMs'>): readonly string[]
  call(id: string): SqlRow | undefined
  /** In the order in which they were made. */
  callsOpenOf(holder: string): readonly SqlRow[]
  callHolders(): readonly string[]
  callsListed(filter: ReservationFilter): readonly SqlRow[]
  request(id: string): SqlRow | undefined
  requestOpenFor(limitKey: string): SqlRow | undefined
  requestsOpenOf(scopeId: string): readonly SqlRow[]
  requestsListed(filter: RequestFilter): readonly SqlRow[]
  key(id: string): SqlRow | undefined
  keyByHash(hash: string): SqlRow | undefined
  keysListed(filter: KeyFilter): readonly SqlRow[]
  holder(holder: string): SqlRow | undefined
  document(scopeId: string): SqlRow | undefined
  /** A value that the ledger stores for itself under a name. */
  kept(name: string): SqlRow | undefined
  denials(scopeId: string): readonly SqlRow[]
  events(range: HistoryRange): readonly SqlRow[]
  historyCalls(range: HistoryRange, by: 'end' | 'correction'): readonly SqlRow[]
  /** The number up to which events in the tree of this root are no longer kept. */
  forgotten(rootId: string): number
  /** The last entry of the journal of a root. */
  chainHead(rootId: string): ChainHead
}

/** How many rows a list has if its filter doesn't say. */
export const MOST_LISTED = 10_000
