import type {
  AmountVector,
  Announced,
  ElasticAsk,
  Hold,
  HolderReading,
  IncreaseRecord,
  KeyRecord,
  Limit,
  LimitBalance,
  LimitCrossing,
  PauseRecord,
  Period,
  ReservationState,
  ScopeKind,
  SpawnBalance,
  Status,
} from '../../core/index.ts'
import type { JournalFact } from './journal-fact.ts'

/** A scope as the ledger keeps it; as a `SpawnBalance`, what the decisions look at. */
export interface ScopeState extends SpawnBalance {
  readonly id: string
  readonly parent: ScopeState | null
  readonly name: string
  readonly path: string
  readonly kind: ScopeKind
  readonly level: number
  owner: string | null
  /** Whether its owner died: nobody runs it until it is adopted. */
  isOrphaned: boolean
  /** The scope and its ancestors, root first. */
  readonly rootToSelf: readonly ScopeState[]
  /** Where to note what changes of it; `null` where nobody has to know. */
  readonly changes: Changes | null
  readonly openedAtMs: number
  closedAtMs: number | null
  readonly labels: Readonly<Record<string, string>>
  pause: PauseRecord | null
  activeMs: number
  /** Every counter of it: one over its life for each meter that was used or limited, and those with a period. */
  readonly series: CounterSeries[]
  /** Those with a period, so that only they are looked at when time goes on. */
  readonly periodSeries: CounterSeries[]
  /** A bit for the index of every counter that has a series over the life. */
  counted: number
  limits: LimitState[]
  /** What no limit of it is ever above. They only ever tighten. */
  ceilings: readonly Limit[]
  /**
   * Which scope holds how much on each of its limits, in the order in which the holds were taken; also while a limit
   * is taken away, since it may come back before the hold goes. Made with the first hold.
   */
  holders: Map<string, Map<string, number>> | null
  holds: readonly Hold[]
  status: Status
  openChildren: number
  /** Whether it counts in its parent's `openChildren`. */
  occupiesPlace: boolean
  revision: number
}

/** What was counted in one window, and what was said of the limits on it. */
export interface CounterRow {
  readonly startMs: number
  readonly endMs: number
  settled: number
  reserved: number
  /** By the key of the limit; made when the first thing is announced. */
  announced: Map<string, Announced> | null
  /** From this settled amount on, some limit on it may have something to announce. 0: look, and find out. */
  mark: number
}

/**
 * All windows of one counter of one scope: one endless window, or those of a period in a zone. Limits come and go and
 * only point here, so that no change of a limit can forget what was spent.
 */
export interface CounterSeries {
  readonly scope: ScopeState
  /** Its place among the series of its scope. */
  readonly ordinal: number
  readonly index: number
  readonly per: Period | null
  readonly timeZone: string
  /** Reservations before this number were not counted here, but for those that were taken over. */
  readonly since: number
  /** The row of the same period in another zone that its first row began with. */
  readonly takenOver: { readonly series: CounterSeries; readonly row: CounterRow; readonly into: CounterRow } | null
  /** The row that was looked at last. */
  present: CounterRow
  /** The other rows by their start; `null` where there is only one. */
  readonly others: Map<number, CounterRow> | null
  /** The start of the latest row that something was counted in. */
  latestStartMs: number
}

/** A limit and the counter it is about. Its balance is that of the row that the series shows. */
export interface LimitState extends LimitBalance {
  readonly key: string
  readonly limit: Limit
  readonly index: number
  /** `null` for what is no counter. */
  readonly series: CounterSeries | null
  counter: CounterRow
  held: number
  resetsAt: number | null
  /** Whether it was said that a level is exceeded; counters keep that with their window. */
  isExceededTold: boolean
}

/** A reservation as the ledger keeps it. */
export interface ReservationRecord {
  readonly id: string
  readonly scope: ScopeState
  /** What was asked for, to tell a repetition from another request under the same id. */
  readonly fixed: AmountVector
  readonly elastic: ElasticAsk | null
  readonly reserved: AmountVector
  readonly units: number
  readonly atMs: number
  /** Ascending over the store: tells which limits it was counted on. */
  readonly sequence: number
  readonly holder: string
  state: ReservationState
  /** What it was charged, once it was. */
  charged: AmountVector | null
  /** What that charge passed, should the first answer be lost. */
  crossings: readonly LimitCrossing[]
}

/** Who is told of every change of a ledger, so that it can be written down. All of them are idempotent but `append`. */
export interface Changes {
  /** Something of the scope itself: who runs it, how it stands, its limits, its holds, its windows. */
  scope(scope: ScopeState): void
  /** Only how long it has worked, or how many children it has. */
  touch(scope: ScopeState): void
  counter(series: CounterSeries, row: CounterRow): void
  dropCounter(series: CounterSeries, row: CounterRow): void
  reserved(record: ReservationRecord): void
  charged(record: ReservationRecord): void
  request(request: IncreaseRecord): void
  key(key: KeyRecord): void
  /** That a holder is dead. */
  holder(reading: HolderReading): void
  /** How much `holder` holds on a limit of `owner`; 0: nothing any more. */
  hold(owner: ScopeState, key: string, holder: ScopeState, amount: number): void
  document(scopeId: string, text: string): void
  /** What happened, for the journal, in the order in which it did. */
  append(scope: ScopeState, fact: JournalFact): void
}
