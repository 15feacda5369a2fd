import type { Amounts } from '../amounts/amounts.ts'
import type { Breaches } from '../decide/decide.ts'
import type { HoldAsk } from '../decide/hold.ts'
import type { Period } from '../limits/window.ts'
import type { Meter } from '../meter.ts'
import type { ScopeKind } from '../scope.ts'
import type { Status } from '../status.ts'
import type { CallFacts, CallResult } from './call-facts.ts'
import type { PauseRecord } from './pause-record.ts'
import type { ReservationState } from './reservation.ts'
import type { ScopeReading } from './scope-reading.ts'

/**
 * The part of the ledger's port that controls a scope, from its own process or any other with the same store. Each
 * change counts once, and only if the scope is still in the state that the caller saw.
 */
export interface ControlStore {
  /** Whether other processes may use the same ledger, so that it can change without us. */
  readonly isShared: boolean
  /** Admits nothing more in the scope and below. Gives its hold back, unless it only waits for an answer. */
  pause(request: PauseRequest): Promise<PauseOutcome>
  /** Resumes a scope that is paused or whose owner died: once, under its owner or the one in the request. */
  resume(request: ResumeRequest): Promise<ResumeOutcome>
  /** Stores how long a scope has worked and what its loop needs to continue. */
  note(request: NoteRequest): Promise<void>
  /** The last stored document of a scope's loop; `null` if there is none. */
  document(request: { readonly scopeId: string }): Promise<string | null>
  /** Requests more of a limit. Each limit has at most one open request; later ones join it. */
  ask(request: AskRequest): Promise<AskOutcome>
  /** Answers a request, once. An approved amount is added to the limit in the same step. */
  answer(request: AnswerRequest): Promise<AnswerOutcome>
  requests(filter: RequestFilter): Promise<readonly IncreaseRecord[]>
  /** Scopes, earliest opened first. Lookups by path or id prefix use an index. */
  list(filter: ListFilter): Promise<readonly ScopeReading[]>
  /** The number of scopes, without reading them. */
  count(filter: ScopeFilter): Promise<number>
  reservations(filter: ReservationFilter): Promise<readonly ReservationReading[]>
  /** Every holder that has an open reservation or owns a scope that has not ended. */
  holders(): Promise<readonly HolderReading[]>
  /**
   * A heartbeat, for observers that can't see the holder's process. The answer says if the holder was declared dead.
   */
  beat(request: BeatRequest): Promise<BeatOutcome>
  /** The scopes that were controlled since `since`, by any process. `null`: start from now. */
  poll(request: { readonly since: number | null }): Promise<PollOutcome>
  /**
   * Calls `wake` when a poll is likely to find something, until the returned function is called. Only a hint: some are
   * missed, and a store may not have it, so a process that listens still polls.
   */
  listen?(wake: () => void): () => void
  /** Closes the store. Everything acknowledged before is durable. */
  dispose(): Promise<void>
}

export interface PauseRequest {
  readonly scopeId: string
  readonly reason: string
  readonly breaches?: Breaches | null
  readonly requestId?: string | null
  readonly by?: string | null
  readonly document?: string
  readonly activeMs?: number
  readonly atMs: number
}

export type PauseOutcome =
  | { readonly kind: 'paused'; readonly pause: PauseRecord }
  /** It was already paused. A pause outlasts a question, and its document is kept. */
  | { readonly kind: 'duplicate'; readonly pause: PauseRecord }
  | { readonly kind: 'closed'; readonly scopeId: string }

export interface ResumeRequest {
  readonly scopeId: string
  /** The new owner. Default: the current one, if it is alive. */
  readonly owner?: string
  /** Only if the scope is in this pause: the answer to an old question must not lift a later pause. */
  readonly requestId?: string
  readonly by?: string | null
  /** Takes a new hold for its closing call. */
  readonly hold?: HoldAsk
  readonly atMs: number
}

export type ResumeOutcome =
  | {
      readonly kind: 'resumed'
      /** `null` if it wasn't paused but abandoned by an owner that died. */
      readonly pause: PauseRecord | null
      readonly document: string | null
      readonly activeMs: number
    }
  | { readonly kind: 'not-paused'; readonly status: Status; readonly owner: string | null }
  /** It is paused and has no owner: name one. */
  | { readonly kind: 'no-owner' }

export interface NoteRequest {
  readonly scopeId: string
  readonly activeMs?: number
  readonly document?: string
  readonly atMs: number
}

/** A request for more of one limit. The agent that makes it can't grant it. */
export interface IncreaseRecord {
  readonly id: string
  readonly scopeId: string
  readonly scopePath: string
  readonly meter: Meter
  readonly per: Period | null
  /** The key of the limit in the whole ledger. */
  readonly key: string
  readonly settled: number
  readonly limit: number
  /** The requested increase. */
  readonly asked: number
  readonly reason: string
  readonly status: 'open' | 'approved' | 'denied' | 'expired'
  /** The granted increase. */
  readonly granted: number | null
  readonly by: string | null
  readonly openedAtMs: number
  readonly expiresAtMs: number
  readonly answeredAtMs: number | null
}

export interface AskRequest {
  readonly requestId: string
  readonly scopeId: string
  readonly key: string
  readonly settled: number
  readonly asked: number
  /**
   * The amount is a suggestion: it is reduced at once to its ceilings and to what the scopes above have left, so that
   * an approval grants what is shown. If nothing could be granted it is left as is, since only a raise above can help.
   * Default: never reduced.
   */
  readonly mayBeCut?: boolean
  readonly reason: string
  readonly expiresAtMs: number
  readonly atMs: number
}

export type AskOutcome =
  | { readonly kind: 'asked' | 'joined'; readonly request: IncreaseRecord }
  /** The scope has ended or no longer has the limit. */
  | { readonly kind: 'unknown' }

export interface AnswerRequest {
  readonly requestId: string
  readonly verdict: 'approved' | 'denied' | 'expired'
  /**
   * How much of the requested amount to grant. Default: all. Reduced to the ceilings and to what the scopes above have
   * left.
   */
  readonly amount?: number
  readonly by?: string | null
  readonly atMs: number
}

export type AnswerOutcome =
  | { readonly kind: 'answered'; readonly request: IncreaseRecord }
  /** Already answered; that answer remains. */
  | { readonly kind: 'duplicate'; readonly request: IncreaseRecord }
  | { readonly kind: 'unknown' }

export interface RequestFilter {
  readonly status?: IncreaseRecord['status']
  readonly requestId?: string
  readonly most?: number
}

export interface ScopeFilter {
  readonly standing: 'open' | 'ended' | 'all'
  /** Only direct children of this scope; `null`: only roots. */
  readonly parentId?: string | null
  readonly kind?: ScopeKind
  /** Only scopes with exactly this path. */
  readonly path?: string
  /** Only scopes whose id starts with this text. */
  readonly idPrefix?: string
}

export interface ListFilter extends ScopeFilter {
  /** Only scopes that ended at this time or later; the last to end comes first. */
  readonly endedSinceMs?: number
  readonly most?: number
  readonly atMs: number
}

export interface ReservationFilter {
  readonly state: ReservationState
  /** Only the one with this id. */
  readonly reservationId?: string
  readonly scopeId?: string
  /** Only those of this scope and its descendants. */
  readonly withinId?: string
  readonly holder?: string
  readonly most?: number
}

/** The current state of a reservation. */
export interface ReservationReading {
  readonly id: string
  readonly scopeId: string
  readonly scopePath: string
  /** The ids of the scopes that pay, from the root to its own. */
  readonly scopeIds: readonly string[]
  readonly holder: string
  readonly state: ReservationState
  readonly reserved: Amounts
  /** `null` while it is open. */
  readonly charged: Amounts | null
  readonly atMs: number
  /** The granted units of its elastic part: the output cap of a model call. */
  readonly units: number
  /** What it was for; `null` if unknown. */
  readonly about: CallFacts | null
  /** How it ended; `null` while it is open, or if unknown. */
  readonly result: CallResult | null
  /** When it was charged or given back; `null` while it is open. */
  readonly endedAtMs: number | null
}

/** What is known of a holder. */
export interface HolderReading {
  readonly holder: string
  /** The number of heartbeats. Observers see it increase, whatever the two clocks say. */
  readonly beats: number
  /** When the last heartbeat was, by the holder's clock; `null` before the first. */
  readonly beatAtMs: number | null
  /** When it was declared dead; `null` if it wasn't. */
  readonly diedAtMs: number | null
}

export interface BeatRequest {
  readonly holder: string
  readonly atMs: number
}

export type BeatOutcome =
  | { readonly kind: 'beating'; readonly beats: number }
  /** It was declared dead: its settlements still count, and it can't start anything new. */
  | { readonly kind: 'dead'; readonly diedAtMs: number }

export interface PollOutcome {
  /** Pass this to the next poll. */
  readonly cursor: number
  /** Paused, resumed, ended, adopted, or with changed limits; `null`: too many to list, check all. */
  readonly steered: readonly string[] | null
}
