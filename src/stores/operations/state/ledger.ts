import {
  type AlertDraft,
  type DenialCount,
  type EventName,
  type HolderReading,
  type IncreaseRecord,
  type KeyFilter,
  type KeyRecord,
  type ListFilter,
  type RequestFilter,
  type ReservationFilter,
  type ScopeFilter,
  UnknownScopeError,
} from '../../../core/index.ts'
import type { AlertBook } from '../alerts/alert-book.ts'
import type { Changes, ReservationRecord, ScopeState, StoredEvent } from './ledger-state.ts'

/**
 * A ledger as the operations in this folder see it: collections of records, and a receiver for changes. Where the
 * records are kept, in memory or in a file, is up to the store.
 */
export interface Ledger {
  readonly scopes: ScopeTable
  readonly reservations: ReservationTable
  readonly requests: RequestTable
  readonly keys: KeyTable
  readonly holders: HolderTable
  /** `null` if facts are only replayed: what happened is recorded once. */
  readonly history: HistoryTable | null
  readonly changes: Changes | null
  /** Increases with every change that needs an order. */
  sequence: number
  /** The last stored document of a scope's loop. */
  document(scopeId: string): string | null
  setDocument(scopeId: string, text: string): void
  dropDocument(scopeId: string): void
  /** A value that the ledger stores for itself under a name, apart from its trees; `null`: none yet. */
  kept(name: string): string | null
  keep(name: string, text: string): void
  /** The alert rules; `null` for none. */
  readonly alerts: AlertBook | null
  /** The alerts raised by the current operation. */
  readonly raised: AlertDraft[]
  /** The scope was paused, resumed or otherwise controlled: its owner must learn of it. */
  steered(scope: ScopeState): void
}

export interface ScopeTable {
  get(id: string): ScopeState | undefined
  add(scope: ScopeState): void
  /** The scope has ended and may be dropped later. */
  ended(scope: ScopeState): void
  /** Its children that have not ended. */
  openBelow(scope: ScopeState): Iterable<ScopeState>
  /** The scopes of this owner that have not ended. */
  ownedBy(holder: string): Iterable<ScopeState>
  owners(): Iterable<string>
  list(filter: Omit<ListFilter, 'atMs'>): Iterable<ScopeState>
  count(filter: ScopeFilter): number
}

export interface ReservationTable {
  get(id: string): ReservationRecord | undefined
  add(record: ReservationRecord): void
  openOf(holder: string): Iterable<ReservationRecord>
  holders(): Iterable<string>
  list(filter: ReservationFilter): Iterable<ReservationRecord>
}

export interface RequestTable {
  get(id: string): IncreaseRecord | undefined
  /** Adds it or replaces the one with the same id. */
  set(request: IncreaseRecord): void
  openFor(key: string): IncreaseRecord | undefined
  openOf(scopeId: string): Iterable<IncreaseRecord>
  list(filter: RequestFilter): Iterable<IncreaseRecord>
}

export interface KeyTable {
  get(id: string): KeyRecord | undefined
  /** Adds it or replaces the one with the same id. */
  set(key: KeyRecord): void
  byHash(hash: string): KeyRecord | undefined
  list(filter: KeyFilter): Iterable<KeyRecord>
}

/** The holders, as known from heartbeats and from declarations of death. */
export interface HolderTable {
  get(holder: string): HolderReading | undefined
  /** Only that fact, because every call checks it. */
  isDead(holder: string): boolean
  /** Stores a heartbeat, which other processes needn't learn of at once. */
  beat(reading: HolderReading): void
  /** Stores that it is dead. */
  bury(reading: HolderReading): void
}

/** What happened. Events about the end of a call are in the reservations. */
export interface HistoryTable {
  /** Adds an event of this scope. */
  add(scope: ScopeState, event: StoredEvent): void
  /** Counts a refusal by a limit of the scope. */
  deny(scope: ScopeState, denial: Omit<DenialCount, 'count'>): void
  denials(scope: ScopeState): Iterable<DenialCount>
  events(range: HistoryRange): Iterable<StoredEvent>
  /** The reservations whose end, or whose correction, is an event in this range. */
  calls(range: HistoryRange, by: 'end' | 'correction'): Iterable<ReservationRecord>
  /** The number up to which events in the tree of this root are no longer kept; 0: all are. */
  forgotten(root: ScopeState): number
  /** Something in the tree changed that isn't an event. */
  touch(scope: ScopeState): void
}

/** Which events: those of a scope and below it, strictly between two numbers. In order, `latest` ones in reverse. */
export interface HistoryRange {
  readonly scope: ScopeState
  readonly after: number
  readonly before: number
  readonly kinds: ReadonlySet<EventName> | null
  readonly most: number
  readonly latest: boolean
}

/** The scope with this id. Throws `UnknownScopeError`. */
export function scopeIn(ledger: Ledger, scopeId: string): ScopeState {
  const scope = ledger.scopes.get(scopeId)
  if (scope === undefined) throw new UnknownScopeError(scopeId)
  return scope
}
