import type {
  AmountVector,
  Announced,
  CallFacts,
  CallResult,
  DenialCount,
  ElasticAsk,
  EventDraft,
  Hold,
  HolderReading,
  IncreaseRecord,
  KeyRecord,
  Limit,
  LimitBalance,
  LimitCrossing,
  PauseRecord,
  Period,
  Rate,
  ReservationState,
  ScopeAbout,
  ScopeKind,
  SpawnBalance,
  Status,
} from '../../../core/index.ts'
import type { JournalFact } from '../journal-fact.ts'

/** The ledger's state of a scope, and the `SpawnBalance` that decisions work with. */
export interface ScopeState extends SpawnBalance {
  readonly id: string
  readonly parent: ScopeState | null
  readonly name: string
  readonly path: string
  readonly kind: ScopeKind
  readonly level: number
  owner: string | null
  /** Whether its owner died: it doesn't run until it is adopted. */
  isOrphaned: boolean
  /** The scope and its ancestors, root first. */
  readonly rootToSelf: readonly ScopeState[]
  /** Where changes are recorded; `null` if they need no record. */
  readonly changes: Changes | null
  readonly openedAtMs: number
  closedAtMs: number | null
  readonly labels: Readonly<Record<string, string>>
  readonly about: ScopeAbout | null
  /** For a root: the number of the last event in its tree. */
  told: number
  /** The values that alert rules are compared with; created with the first amount. */
  watch: Watch | null
  pause: PauseRecord | null
  activeMs: number
  /** All its counters: a lifetime one for each meter that was used or limited, and those with a period. */
  readonly series: CounterSeries[]
  /** The series with a period: only they need checking when time moves on. */
  readonly periodSeries: CounterSeries[]
  /** One bit per counter index that has a lifetime series. */
  counted: number
  limits: LimitState[]
  /** Upper bounds for its limits. They can only tighten. */
  ceilings: readonly Limit[]
  /**
   * How much each scope holds on each of its limits, in the order the holds were taken. Kept while a limit is removed,
   * since it may come back before the hold ends. Created with the first hold.
   */
  holders: Map<string, Map<string, number>> | null
  holds: readonly Hold[]
  status: Status
  openChildren: number
  /** Whether it counts in its parent's `openChildren`. */
  occupiesPlace: boolean
  revision: number
}

/** The values that alert rules are compared with, and which of them were raised. */
export interface Watch {
  /** The totals of the latest periods, by subject and period. */
  readonly rates: Record<string, Rate>
  /** By rule name: when it was raised, or for a share of a clock, for which maximum. */
  readonly raised: Record<string, number>
}

/** What was counted in one window, and what was announced about its limits. */
export interface CounterRow {
  readonly startMs: number
  readonly endMs: number
  settled: number
  reserved: number
  /** By limit key; created with the first announcement. */
  announced: Map<string, Announced> | null
  /** The settled amount from which a limit may have something to announce. 0: unknown, check. */
  mark: number
}

/**
 * All windows of one counter of one scope: a single endless one, or those of a period in a time zone. Limits only refer
 * to a series, so changing a limit can't forget spending.
 */
export interface CounterSeries {
  readonly scope: ScopeState
  /** Its index among the series of its scope. */
  readonly ordinal: number
  readonly index: number
  readonly per: Period | null
  readonly timeZone: string
  /** Reservations before this number weren't counted here, except those that were taken over. */
  readonly since: number
  /** The row of the same period in another time zone that its first row started with. */
  readonly takenOver: { readonly series: CounterSeries; readonly row: CounterRow; readonly into: CounterRow } | null
  /** The row that was used last. */
  present: CounterRow
  /** The other rows by start; `null` if there is only one. */
  readonly others: Map<number, CounterRow> | null
  /** The start of the latest row with a count. */
  latestStartMs: number
}

/** A limit and its counter. The balance is that of the series' current row. */
export interface LimitState extends LimitBalance {
  readonly key: string
  readonly limit: Limit
  readonly index: number
  /** `null` if the meter isn't a counter. */
  readonly series: CounterSeries | null
  counter: CounterRow
  held: number
  resetsAt: number | null
  /** Whether exceeding a level was announced; counters store that with their window. */
  isExceededTold: boolean
}

/** The ledger's record of a reservation. */
export interface ReservationRecord {
  readonly id: string
  readonly scope: ScopeState
  /** The requested amounts, to tell a repetition from another request with the same id. */
  readonly fixed: AmountVector
  readonly elastic: ElasticAsk | null
  readonly reserved: AmountVector
  readonly units: number
  readonly atMs: number
  /** Increases over the store; determines which limits it was counted on. */
  readonly sequence: number
  readonly holder: string
  state: ReservationState
  /** The charge, once there is one. */
  charged: AmountVector | null
  /** The crossings of that charge, in case the first answer was lost. */
  crossings: readonly LimitCrossing[]
  /** What it is for, according to the caller. */
  readonly about: CallFacts | null
  /** How it ended, according to the caller. */
  result: CallResult | null
  endedAtMs: number | null
  /** The number of the event of its end; `null` if that isn't one. */
  told: number | null
  correction: Correction | null
}

/** The latest correction of an assumed charge. */
export interface Correction {
  /** The number of its event. */
  readonly told: number
  readonly atMs: number
  /** What was charged before. */
  readonly assumed: AmountVector
}

/** A stored event: one that isn't about the end of a call. */
export interface StoredEvent {
  readonly number: number
  readonly atMs: number
  readonly draft: EventDraft
}

/** Receives every change of a ledger, so that it can be written. All methods except `append`, `event` and `denied` are idempotent. */
export interface Changes {
  /** The scope itself changed: its owner, status, limits, holds or windows. */
  scope(scope: ScopeState): void
  /** Only its working time or its number of children changed. */
  touch(scope: ScopeState): void
  counter(series: CounterSeries, row: CounterRow): void
  dropCounter(series: CounterSeries, row: CounterRow): void
  reserved(record: ReservationRecord): void
  charged(record: ReservationRecord): void
  request(request: IncreaseRecord): void
  key(key: KeyRecord): void
  /** The holder is dead. */
  holder(reading: HolderReading): void
  /** How much `holder` holds on a limit of `owner`; 0: nothing any more. */
  hold(owner: ScopeState, key: string, holder: ScopeState, amount: number): void
  /** `null`: it was dropped. */
  document(scopeId: string, text: string | null): void
  /** A value that the ledger stores for itself under a name. */
  kept(name: string, text: string): void
  /** Something happened to the scope. */
  event(scope: ScopeState, event: StoredEvent): void
  /** A limit of the scope refused something. */
  denied(scope: ScopeState, denial: Omit<DenialCount, 'count'>): void
  /** Adds a fact to the journal, in the order of events. */
  append(scope: ScopeState, fact: JournalFact): void
}
