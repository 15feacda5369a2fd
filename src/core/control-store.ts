import type { Amounts } from './amounts.ts'
import type { Breaches } from './decide.ts'
import type { HoldAsk } from './hold.ts'
import type { Meter } from './meter.ts'
import type { PauseRecord } from './pause-record.ts'
import type { ReservationState } from './reservation.ts'
import type { ScopeReading } from './scope-reading.ts'
import type { Status } from './status.ts'
import type { Period } from './window.ts'

/**
 * The part of the ledger's port through which a scope is steered: by its own process, or by any other that has the
 * same store. Each change counts once, and only from where the caller saw the scope stand.
 */
export interface ControlStore {
  /** Whether others may have the same ledger, so that it changes without us. */
  readonly isShared: boolean
  /** Admits nothing more there and below, and gives its hold back unless it only waits for an answer. */
  pause(request: PauseRequest): Promise<PauseOutcome>
  /** Lets a paused scope go on, or one whose owner died: once, under its owner or the one that the request names. */
  resume(request: ResumeRequest): Promise<ResumeOutcome>
  /** Keeps how long a scope has worked, and what its loop needs to go on. */
  note(request: NoteRequest): Promise<void>
  /** What was last kept of a scope's loop; `null` if nothing was. */
  document(request: { readonly scopeId: string }): Promise<string | null>
  /** Asks for more of a limit. There is one open request for each limit: whoever asks later joins it. */
  ask(request: AskRequest): Promise<AskOutcome>
  /** Answers a request, once. What is approved is added to the limit in the same step. */
  answer(request: AnswerRequest): Promise<AnswerOutcome>
  requests(filter: RequestFilter): Promise<readonly IncreaseRecord[]>
  /** Scopes, the earliest opened first. */
  list(filter: ListFilter): Promise<readonly ScopeReading[]>
  reservations(filter: ReservationFilter): Promise<readonly ReservationReading[]>
  /** Everybody who has a reservation open, or owns a scope that has not ended. */
  holders(): Promise<readonly HolderReading[]>
  /** A holder says that it lives, for those who cannot see its process. One that was declared dead is told so. */
  beat(request: BeatRequest): Promise<BeatOutcome>
  /** The scopes that were steered since `since`, by whomever. `null`: from now on. */
  poll(request: { readonly since: number | null }): Promise<PollOutcome>
  /** Lets go of what the store has open. What was answered before is durable. */
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
  /** It was paused already; a pause outlasts a mere question, and a document is kept. */
  | { readonly kind: 'duplicate'; readonly pause: PauseRecord }
  | { readonly kind: 'closed'; readonly scopeId: string }

export interface ResumeRequest {
  readonly scopeId: string
  /** Who runs it from now on. Without it: whoever did, if it lives. */
  readonly owner?: string
  /** Only if this is the pause that it stands in: the answer to an old question lifts no later pause. */
  readonly requestId?: string
  readonly by?: string | null
  /** Takes a hold for its closing call anew. */
  readonly hold?: HoldAsk
  readonly atMs: number
}

export type ResumeOutcome =
  | {
      readonly kind: 'resumed'
      /** `null` where it was not paused but left behind by an owner that died. */
      readonly pause: PauseRecord | null
      readonly document: string | null
      readonly activeMs: number
    }
  | { readonly kind: 'not-paused'; readonly status: Status; readonly owner: string | null }
  /** It is paused, but nobody runs it: name an owner. */
  | { readonly kind: 'no-owner' }

export interface NoteRequest {
  readonly scopeId: string
  readonly activeMs?: number
  readonly document?: string
  readonly atMs: number
}

/** A request for more of one limit. Never granted by the words of the agent that makes it. */
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
  /** How much more is wanted. */
  readonly asked: number
  readonly reason: string
  readonly status: 'open' | 'approved' | 'denied' | 'expired'
  /** How much more was given. */
  readonly granted: number | null
  /** Who answered. */
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
   * Nobody named this amount: it is cut at once to its ceilings and to what the scopes above have left, so that what is
   * shown is what an approval gives. Where nothing could be given it stays, since only a raise above can help. Default:
   * it stays as it was named.
   */
  readonly mayBeCut?: boolean
  readonly reason: string
  readonly expiresAtMs: number
  readonly atMs: number
}

export type AskOutcome =
  | { readonly kind: 'asked' | 'joined'; readonly request: IncreaseRecord }
  /** The scope has ended, or no longer has such a limit. */
  | { readonly kind: 'unknown' }

export interface AnswerRequest {
  readonly requestId: string
  readonly verdict: 'approved' | 'denied' | 'expired'
  /** Of what was asked, how much. Default: all of it. It is cut to its ceilings, and to what the scopes above have left. */
  readonly amount?: number
  readonly by?: string | null
  readonly atMs: number
}

export type AnswerOutcome =
  | { readonly kind: 'answered'; readonly request: IncreaseRecord }
  /** Somebody answered before: that stands. */
  | { readonly kind: 'duplicate'; readonly request: IncreaseRecord }
  | { readonly kind: 'unknown' }

export interface RequestFilter {
  readonly status?: IncreaseRecord['status']
  readonly requestId?: string
  readonly most?: number
}

export interface ListFilter {
  readonly standing: 'open' | 'ended' | 'all'
  /** Only the direct children of this scope; `null`: only roots. */
  readonly parentId?: string | null
  readonly most?: number
  readonly atMs: number
}

export interface ReservationFilter {
  readonly state: ReservationState
  /** Only the one with this id. */
  readonly reservationId?: string
  readonly scopeId?: string
  /** Only those of this scope and of everything below it. */
  readonly withinId?: string
  readonly holder?: string
  readonly most?: number
}

/** A reservation as it stands. */
export interface ReservationReading {
  readonly id: string
  readonly scopeId: string
  readonly scopePath: string
  /** The ids of the scopes that pay, the root's first and its own last. */
  readonly scopeIds: readonly string[]
  readonly holder: string
  readonly state: ReservationState
  readonly reserved: Amounts
  /** `null` while it is open. */
  readonly charged: Amounts | null
  readonly atMs: number
}

/** What is known of a holder. */
export interface HolderReading {
  readonly holder: string
  /** How many heartbeats there have been: whoever watches sees it go up, whatever the clocks of the two say. */
  readonly beats: number
  /** When the last one was, by the clock of the holder; `null` before the first. */
  readonly beatAtMs: number | null
  /** When it was declared dead; `null` while it was not. */
  readonly diedAtMs: number | null
}

export interface BeatRequest {
  readonly holder: string
  readonly atMs: number
}

export type BeatOutcome =
  | { readonly kind: 'beating'; readonly beats: number }
  /** It was declared dead: its settlements still count, and nothing more begins under it. */
  | { readonly kind: 'dead'; readonly diedAtMs: number }

export interface PollOutcome {
  /** Where to go on from next time. */
  readonly cursor: number
  /** Paused, resumed, ended, adopted, or with other limits; `null`: too many to name, look at all. */
  readonly steered: readonly string[] | null
}
