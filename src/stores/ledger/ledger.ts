import {
  type HolderReading,
  type IncreaseRecord,
  type KeyFilter,
  type KeyRecord,
  type ListFilter,
  type RequestFilter,
  type ReservationFilter,
  UnknownScopeError,
} from '../../core/index.ts'
import type { Changes, ReservationRecord, ScopeState } from './ledger-state.ts'

/**
 * A ledger as the operations of this folder see it: shelves to take things from, and somebody who is told of what
 * changes. Where the things are kept, in memory or behind it in a file, is the store's business.
 */
export interface Ledger {
  readonly scopes: ScopeShelf
  readonly reservations: ReservationShelf
  readonly requests: RequestShelf
  readonly keys: KeyShelf
  readonly holders: HolderShelf
  readonly changes: Changes | null
  /** Ascending with every change that later ones must be told apart from. */
  sequence: number
  /** What the loop of a scope was last known to need to go on. */
  document(scopeId: string): string | null
  setDocument(scopeId: string, text: string): void
  /** Somebody steered a scope: whoever runs it must hear of it. */
  steered(scope: ScopeState): void
}

export interface ScopeShelf {
  get(id: string): ScopeState | undefined
  add(scope: ScopeState): void
  /** The scope has ended: it may be forgotten one day. */
  ended(scope: ScopeState): void
  /** Its children that have not ended. */
  openBelow(scope: ScopeState): Iterable<ScopeState>
  /** Those that have not ended and whose owner this is. */
  ownedBy(holder: string): Iterable<ScopeState>
  owners(): Iterable<string>
  list(filter: ListFilter): Iterable<ScopeState>
}

export interface ReservationShelf {
  get(id: string): ReservationRecord | undefined
  add(record: ReservationRecord): void
  openOf(holder: string): Iterable<ReservationRecord>
  holders(): Iterable<string>
  list(filter: ReservationFilter): Iterable<ReservationRecord>
}

export interface RequestShelf {
  get(id: string): IncreaseRecord | undefined
  /** Also in the place of the one with the same id. */
  set(request: IncreaseRecord): void
  openFor(key: string): IncreaseRecord | undefined
  openOf(scopeId: string): Iterable<IncreaseRecord>
  list(filter: RequestFilter): Iterable<IncreaseRecord>
}

export interface KeyShelf {
  get(id: string): KeyRecord | undefined
  /** Also in the place of the one with the same id. */
  set(key: KeyRecord): void
  byHash(hash: string): KeyRecord | undefined
  list(filter: KeyFilter): Iterable<KeyRecord>
}

/** Who holds something, as far as that is known from heartbeats and from those who declare others dead. */
export interface HolderShelf {
  get(holder: string): HolderReading | undefined
  /** The same for one thing alone, which every call asks. */
  isDead(holder: string): boolean
  /** Keeps a heartbeat, of which nobody else has to hear at once. */
  beat(reading: HolderReading): void
  /** Keeps that it is dead. */
  bury(reading: HolderReading): void
}

/** The scope with this id, or `UnknownScopeError`. */
export function scopeIn(ledger: Ledger, scopeId: string): ScopeState {
  const scope = ledger.scopes.get(scopeId)
  if (scope === undefined) throw new UnknownScopeError(scopeId)
  return scope
}
