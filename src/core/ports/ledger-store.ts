import type { Amounts } from '../amounts/amounts.ts'
import type { LimitCrossing } from '../decide/crossing.ts'
import type { Breaches } from '../decide/decide.ts'
import type { ElasticAsk } from '../decide/elastic.ts'
import type { HoldAsk, ReserveHold } from '../decide/hold.ts'
import type { LeftOnPath } from '../decide/left-on-path.ts'
import type { Breach } from '../limits/breach.ts'
import type { Limit } from '../limits/limit.ts'
import type { ScopeKind } from '../scope.ts'
import type { EndStatus, Status } from '../status.ts'
import type { CallFacts, CallResult } from './call-facts.ts'
import type { ControlStore } from './control-store.ts'
import type { HistoryStore } from './history-store.ts'
import type { KeyStore } from './key-store.ts'
import type { LeaseStore } from './lease-store.ts'
import type { PauseRecord } from './pause-record.ts'
import type { ChargeAnomaly, ReportedAmounts, ReservationState } from './reservation.ts'
import type { ScopeAbout } from './scope-about.ts'
import type { ScopeReading } from './scope-reading.ts'

/**
 * The ledger's port: a few atomic operations, each on a whole path, with ids and times supplied by the caller. A store
 * makes the rules of the core atomic and durable and adds none of its own. It only decides; the governor waits, retries
 * and notifies. Every operation is idempotent: opening, reserving and settling by id; holds and limits because they set
 * a state instead of changing it by an amount.
 */
export interface LedgerStore extends ControlStore, HistoryStore, KeyStore, LeaseStore {
  /**
   * Opens all children, or none. Scopes already open under the same parent are left unchanged, except that those whose
   * owner died are adopted, queued ones start, and those to be taken over change owners. None of that counts as a second
   * spawn, and a group never counts as one.
   */
  open(request: OpenRequest): Promise<OpenOutcome>
  /** Ends a scope and frees its place and its hold. Calls in flight still count when they settle. */
  close(request: CloseRequest): Promise<CloseOutcome>
  /** Reserves on all counters of all scopes on the path, or none. */
  reserve(request: ReserveRequest): Promise<ReserveOutcome>
  /** Charges once and is never refused, even on a closed scope. */
  settle(request: SettleRequest): Promise<SettleOutcome>
  /** Gives a reservation back. Only if nothing was sent, or the provider refused before the first byte. */
  release(request: ReleaseRequest): Promise<SettleOutcome>
  /**
   * Declares a holder dead: charges its open reservations in full and frees the holds and places of its scopes.
   * Afterwards `open`, `reserve` and `resume` under it throw `holder_dead`.
   */
  assume(request: AssumeRequest): Promise<AssumeOutcome>
  /** Resizes the hold of a scope, as far as there is room; `ask: null` gives it back. */
  hold(request: HoldRequest): Promise<HoldOutcome>
  /**
   * Replaces the limits of a scope, as far as its ceilings allow. A ceiling among them becomes one of the scope's
   * ceilings. Counted amounts stay; a changed limit is announced again.
   */
  setLimits(request: SetLimitsRequest): Promise<SetLimitsOutcome>
  /** The scope and its ancestors, root first; `null` if there is no such scope. */
  read(request: { readonly scopeId: string; readonly atMs: number }): Promise<readonly ScopeReading[] | null>
}

export interface NewScope {
  readonly id: string
  readonly name: string
  readonly kind: ScopeKind
  readonly limits: readonly Limit[]
  /**
   * Upper bounds for its limits, including bounds that no limit has reached; ceilings among `limits` are included
   * anyway. They stay with the scope and can only tighten: everything written, granted or adopted respects them.
   */
  readonly ceilings?: readonly Limit[]
  /** The process whose loop runs the scope; `null` for a lasting scope. */
  readonly owner: string | null
  /**
   * Queued: it counts as a child, but takes no place until it is opened again without this. So a group is admitted as a
   * whole although only some of its children run at once.
   */
  readonly isQueued?: boolean
  /**
   * Takes it over from an owner that may be alive: its agent now talks to this process. It keeps its place, its hold and
   * its pause, so nothing has to be admitted, and nothing refuses it.
   */
  readonly takesOver?: boolean
  /** The initial hold for its closing call. */
  readonly hold?: HoldAsk
  /** Facts for readers of the scope, such as its task or role. The ledger ignores them. */
  readonly labels?: Readonly<Record<string, string>>
  /** What it is for and who started it. Stored without keys, and not in the journal. */
  readonly about?: ScopeAbout
}

export interface OpenRequest {
  readonly parentId: string | null
  readonly scopes: readonly NewScope[]
  /** What each child needs unspent on the path. Default: something on every limited counter. */
  readonly needs?: Amounts
  /** What children that were admitted before will still take of the path: they have made no call yet. */
  readonly promised?: Amounts
  readonly atMs: number
}

export type OpenOutcome =
  | {
      readonly kind: 'opened'
      /** The scopes that are new, or were queued. */
      readonly created: readonly string[]
      /**
       * The scopes that now belong to the request's owner: those whose owner was dead, with a place and a hold again, and
       * those taken over.
       */
      readonly adopted: readonly string[]
      readonly crossings: readonly LimitCrossing[]
    }
  | { readonly kind: 'refused'; readonly mayFitLater: boolean; readonly breaches: Breaches }
  | Blocked

/** Nothing is admitted in or below this scope: it has ended or is paused. */
export type Blocked =
  | { readonly kind: 'closed'; readonly scopeId: string }
  | { readonly kind: 'paused'; readonly scopeId: string; readonly pause: PauseRecord }

export interface CloseRequest {
  readonly scopeId: string
  readonly status: EndStatus
  /** Why it ended, for the records. */
  readonly reason?: string
  /** Who ended it, if not the program that ran it. */
  readonly by?: string
  readonly activeMs?: number
  readonly atMs: number
}

export type CloseOutcome = { readonly kind: 'closed' } | { readonly kind: 'duplicate'; readonly status: Status }

export interface ReserveRequest {
  readonly reservationId: string
  readonly scopeId: string
  readonly amounts: Amounts
  readonly elastic?: ElasticAsk
  /** The length of the conversation, for `messages` limits. */
  readonly messages?: number
  /** The caller would rather wait than be refused or cut short. */
  readonly patient?: boolean
  /**
   * The closing call of its conversation, which must stay payable alongside it. Its hold is taken with the grant. An
   * existing hold may be reserved from, down to the smallest closing call.
   */
  readonly hold?: ReserveHold
  /** This is the closing call: it uses up the scope's hold. A pause doesn't block it. */
  readonly closing?: boolean
  /** The caller may ask again for less, so a breach isn't announced yet. */
  readonly tentative?: boolean
  /** Also return what is left after the reservation. */
  readonly withLeft?: boolean
  /** What it is for. */
  readonly about?: CallFacts
  readonly holder: string
  /** How long the scope has worked so far, to be stored with it. */
  readonly activeMs?: number
  readonly atMs: number
}

export type ReserveOutcome =
  | {
      readonly kind: 'granted'
      readonly reservationId: string
      readonly amounts: Amounts
      /** The granted units of the elastic part. */
      readonly units: number
      /** The reservation already existed: the request was sent twice. */
      readonly duplicate: boolean
      /** What is left after it, if requested. */
      readonly left?: LeftOnPath
    }
  | {
      readonly kind: 'breached'
      readonly mayFitLater: boolean
      readonly breaches: Breaches
      /** The breaches that weren't announced yet in this window; each is announced once. */
      readonly newlyExceeded: readonly Breach[]
    }
  | Blocked

export interface SettleRequest {
  readonly reservationId: string
  /** The actual usage. `null`, or a meter left out: unknown, charged at the reserved worst case. */
  readonly actual?: ReportedAmounts | null
  /** The usage is uncertain: the charge is `assumed` until the real figures correct it. */
  readonly assumed?: boolean
  /** How the call ended, what it used and where its price came from. */
  readonly result?: CallResult
  /** Resizes the scope's hold in the same step. */
  readonly hold?: HoldAsk
  /** How long the scope has worked so far, to be stored with it. */
  readonly activeMs?: number
  /** Who corrected an assumed charge, and why. */
  readonly by?: string
  readonly reason?: string
  readonly atMs: number
}

export interface ReleaseRequest {
  readonly reservationId: string
  /** How the call ended. Announced only if it was sent and refused. */
  readonly result?: CallResult
  /** Resizes the scope's hold in the same step: a refused closing call may be tried again. */
  readonly hold?: HoldAsk
  readonly by?: string
  readonly reason?: string
  readonly atMs: number
}

export type SettleOutcome =
  | {
      readonly kind: 'settled' | 'assumed' | 'corrected' | 'released'
      readonly scopeId: string
      readonly charged: Amounts
      /** The charge beyond the reservation. */
      readonly overrun: Amounts
      readonly anomalies: readonly ChargeAnomaly[]
      readonly crossings: readonly LimitCrossing[]
    }
  /** Sent before with the same amounts: nothing changed. `crossings` are repeated in case the first answer was lost. */
  | { readonly kind: 'duplicate'; readonly charged: Amounts; readonly crossings: readonly LimitCrossing[] }
  /** Sent before with different amounts: nothing changed, `charged` remains. */
  | { readonly kind: 'conflict'; readonly state: ReservationState; readonly charged: Amounts }
  /** No such reservation, or its record has been pruned. */
  | { readonly kind: 'unknown' }

export interface AssumeRequest {
  readonly holder: string
  /**
   * The heartbeats that the caller has counted. If there was another since, the holder is alive and nothing changes.
   */
  readonly beats?: number
  /** Who declared it dead, and why, if a person did. */
  readonly by?: string
  readonly reason?: string
  readonly atMs: number
}

export interface AssumeOutcome {
  readonly reservations: readonly AssumedReservation[]
  /** The scopes that it owned and that have no owner now. */
  readonly orphanedScopes: readonly string[]
}

export interface AssumedReservation {
  readonly reservationId: string
  readonly scopeId: string
  readonly charged: Amounts
  readonly crossings: readonly LimitCrossing[]
}

export interface HoldRequest {
  readonly scopeId: string
  readonly ask: HoldAsk | null
  readonly atMs: number
}

export interface HoldOutcome {
  /** The smallest hold per wanted meter over all limits of the path that can end in a closing call. */
  readonly held: Amounts
}

export interface SetLimitsRequest {
  readonly scopeId: string
  readonly limits: readonly Limit[]
  /** The revision that the caller has seen: if the limits were changed since, nothing is written. */
  readonly expectedRevision?: number
  readonly by?: string
  readonly atMs: number
}

export type SetLimitsOutcome =
  | { readonly kind: 'written'; readonly revision: number }
  /** The limits have changed in the meantime: read the scope again. */
  | { readonly kind: 'stale'; readonly revision: number }
