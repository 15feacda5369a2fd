import type { EventName } from '../events/event-names.ts'
import type { EventDraft, StintEvent } from '../events/events.ts'
import type { Period } from '../limits/window.ts'
import type { Meter } from '../meter.ts'
import type { ReservationReading } from './control-store.ts'
import type { HourSum } from './hour-sum.ts'
import type { ScopeReading } from './scope-reading.ts'

/**
 * The part of the ledger's port that remembers. The events of a tree are numbered from 1 without gaps, in the order in
 * which they became true, and stored in the step that made them so. A call is its reservation: it isn't stored twice.
 */
export interface HistoryStore {
  /** What happened in a scope and below it, in order. */
  history(request: HistoryRequest): Promise<HistoryOutcome>
  /**
   * The roots in whose trees anything changed since `since`, by any process. `null`: start from now. Never skips a
   * change that is still being written.
   */
  changed(request: { readonly since: number | null }): Promise<ChangedOutcome>
  /** How often each limit of a scope refused something, by window, earliest first. */
  denials(request: { readonly scopeId: string }): Promise<readonly DenialCount[]>
  /** Hourly sums of charged calls, including pruned ones. Ordered by hour. */
  sums(request: SumsRequest): Promise<readonly HourSum[]>
  /**
   * Calls back with each alert that an operation of this store raises, once it is stored. If the operation got no
   * answer, its alert is only in the history. Returns a function that unsubscribes.
   */
  onAlert(listener: (alert: AlertDraft) => void): () => void
}

export interface SumsRequest {
  /** From the hour that contains this time; calls count in the hour in which they were reserved. */
  readonly sinceMs: number
  /** Before this time. */
  readonly untilMs: number
}

/** An alert before it is numbered for listeners. */
export type AlertDraft = Extract<EventDraft, { readonly event: 'alert_raised' }>

export interface HistoryRequest {
  readonly scopeId: string
  /** Only events after this number. A number before the oldest one that is kept gives a `reset`. */
  readonly since?: number
  /** Only events before this number. */
  readonly before?: number
  readonly kinds?: readonly EventName[]
  /** How many to return. Default: 1,000. */
  readonly most?: number
  /** If there are more, return the latest instead of the first. They are in order either way. */
  readonly latest?: boolean
  readonly atMs: number
}

export type HistoryOutcome =
  | {
      readonly kind: 'page'
      readonly entries: readonly HistoryEntry[]
      /** Pass it as `since` for what comes next. */
      readonly cursor: number
      /** There is more in the requested range. */
      readonly hasMore: boolean
    }
  /** Events after `since` have been pruned: `scopes` is the current state, and `cursor` continues from here. */
  | { readonly kind: 'reset'; readonly scopes: readonly ScopeReading[]; readonly cursor: number }

export interface HistoryEntry {
  /** Its number in the tree of its root; also the `seq` of the event. */
  readonly number: number
  readonly event: StintEvent
  /** The call that the event is about, as it is now; `null` if it isn't about one. */
  readonly call: ReservationReading | null
}

export interface ChangedOutcome {
  /** Pass this as `since` next time. */
  readonly cursor: number
  /** `null`: too many to list, check all. */
  readonly roots: readonly string[] | null
  /** The scopes in them that changed; `null`: too many to list, or unknown: check all of `roots`. */
  readonly scopes: readonly string[] | null
}

/** How often a limit refused something in one window. */
export interface DenialCount {
  readonly meter: Meter
  readonly per: Period | null
  /** When the window ends; `null` for a limit without a period. */
  readonly resetsAt: number | null
  readonly count: number
  readonly lastAtMs: number
}
