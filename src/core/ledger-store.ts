import type { Amounts } from './amounts.ts'
import type { Breach } from './breach.ts'
import type { ControlStore } from './control-store.ts'
import type { LimitCrossing } from './crossing.ts'
import type { Breaches } from './decide.ts'
import type { ElasticAsk } from './elastic.ts'
import type { HoldAsk, ReserveHold } from './hold.ts'
import type { KeyStore } from './key-store.ts'
import type { LeftOnPath } from './left-on-path.ts'
import type { Limit } from './limit.ts'
import type { PauseRecord } from './pause-record.ts'
import type { ChargeAnomaly, ReportedAmounts, ReservationState } from './reservation.ts'
import type { ScopeKind } from './scope.ts'
import type { ScopeReading } from './scope-reading.ts'
import type { EndStatus, Status } from './status.ts'

/**
 * The ledger's port: a handful of atomic operations, each on a whole path, with ids and times given by the caller.
 * A store makes the rules of the core atomic and durable and adds none of its own. It only decides: waiting, retrying
 * and telling people are the governor's. Whatever is sent again counts once: what opens, reserves and settles by its
 * id, and what sizes a hold or writes limits because it says how things are to be, not how they are to change.
 */
export interface LedgerStore extends ControlStore, KeyStore {
  /**
   * Opens all children, or none. Scopes that are open already under the same parent are left as they are, but for
   * those whose owner died: they are adopted, and that is no second spawn.
   */
  open(request: OpenRequest): Promise<OpenOutcome>
  /** Ends a scope: frees its place and its hold. What its calls in flight settle later still counts. */
  close(request: CloseRequest): Promise<CloseOutcome>
  /** All counters of all scopes on the path, or none. */
  reserve(request: ReserveRequest): Promise<ReserveOutcome>
  /** Charges once and is never refused, also on a closed scope. */
  settle(request: SettleRequest): Promise<SettleOutcome>
  /** Gives a reservation back: only when nothing was sent, or the provider refused before the first byte. */
  release(request: ReleaseRequest): Promise<SettleOutcome>
  /**
   * Declares a holder dead: charges what it left open, in full, and frees the holds and places of the scopes it owned.
   * From then on nothing begins under it: `open`, `reserve` and `resume` throw `holder_dead`.
   */
  assume(request: AssumeRequest): Promise<AssumeOutcome>
  /** Sizes the hold of a scope anew, as far as there is room; `ask: null` gives it back. */
  hold(request: HoldRequest): Promise<HoldOutcome>
  /**
   * Replaces the limits of a scope, as far as its ceilings allow it; a ceiling among them is one from now on. What is
   * counted stays counted; a limit that is different is announced anew.
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
   * What no limit of it is ever above, also those that no limit has reached; those among its limits are ceilings
   * anyway. They stay with the scope and only ever tighten: whatever is written, granted or adopted is held to them.
   */
  readonly ceilings?: readonly Limit[]
  /** The process whose loop runs the scope; `null` for a lasting one. */
  readonly owner: string | null
  /** What to hold back for its closing call from the start. */
  readonly hold?: HoldAsk
  /** What whoever finds the scope must know of it, and the ledger does not look at: its task, its role. */
  readonly labels?: Readonly<Record<string, string>>
}

export interface OpenRequest {
  readonly parentId: string | null
  readonly scopes: readonly NewScope[]
  /** What each child must find unspent on the path; without it, something on every limited counter. */
  readonly needs?: Amounts
  readonly atMs: number
}

export type OpenOutcome =
  | {
      readonly kind: 'opened'
      /** Those of the scopes that were not there before. */
      readonly created: readonly string[]
      /** Those whose owner was dead: the request's owner has them now, with a place and a hold of their own again. */
      readonly adopted: readonly string[]
      readonly crossings: readonly LimitCrossing[]
    }
  | { readonly kind: 'refused'; readonly mayFitLater: boolean; readonly breaches: Breaches }
  | Blocked

/** Nothing is admitted at or below this scope: it has ended, or is paused. */
export type Blocked =
  | { readonly kind: 'closed'; readonly scopeId: string }
  | { readonly kind: 'paused'; readonly scopeId: string; readonly pause: PauseRecord }

export interface CloseRequest {
  readonly scopeId: string
  readonly status: EndStatus
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
  /** The caller would wait rather than be refused or cut short. */
  readonly patient?: boolean
  /**
   * The closing call of its conversation, which must stay payable beside it. The hold for that is taken with the grant;
   * one that is there already may be reserved from, down to the smallest closing call.
   */
  readonly hold?: ReserveHold
  /** The closing call: the scope's own hold is there for it, and is used up by it. A pause does not keep it out. */
  readonly closing?: boolean
  /** The caller may ask again for less: a breach is not announced yet. */
  readonly tentative?: boolean
  /** The caller wants to know what is left when it has its reservation. */
  readonly tellsLeft?: boolean
  readonly holder: string
  /** How long the scope has worked so far, to be kept with it. */
  readonly activeMs?: number
  readonly atMs: number
}

export type ReserveOutcome =
  | {
      readonly kind: 'granted'
      readonly reservationId: string
      readonly amounts: Amounts
      /** The units of the elastic part that were granted. */
      readonly units: number
      /** The reservation was there already: the request was sent twice. */
      readonly duplicate: boolean
      /** What is left beside it, where that was asked for. */
      readonly left?: LeftOnPath
    }
  | {
      readonly kind: 'breached'
      readonly mayFitLater: boolean
      readonly breaches: Breaches
      /** Those of the breaches that nobody was told of yet in this window: each is announced once. */
      readonly newlyExceeded: readonly Breach[]
    }
  | Blocked

export interface SettleRequest {
  readonly reservationId: string
  /** What was really used; `null`, or a meter left out: unknown, charged at the reserved worst case. */
  readonly actual?: ReportedAmounts | null
  /** What it used isn't known for sure: the charge stands as `assumed` until the truth corrects it. */
  readonly assumed?: boolean
  /** Sizes the scope's hold anew in the same step. */
  readonly hold?: HoldAsk
  /** How long the scope has worked so far, to be kept with it. */
  readonly activeMs?: number
  /** Who says so and why, where a person corrects what was assumed. */
  readonly by?: string
  readonly reason?: string
  readonly atMs: number
}

export interface ReleaseRequest {
  readonly reservationId: string
  /** Sizes the scope's hold anew in the same step: a closing call that was refused may be tried again. */
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
      /** By how much the charge was above the reservation. */
      readonly overrun: Amounts
      readonly anomalies: readonly ChargeAnomaly[]
      readonly crossings: readonly LimitCrossing[]
    }
  /** Sent before with the same amounts: nothing happened. `crossings` are told again, should the first answer be lost. */
  | { readonly kind: 'duplicate'; readonly charged: Amounts; readonly crossings: readonly LimitCrossing[] }
  /** Sent before with other amounts: nothing happened, `charged` stands. */
  | { readonly kind: 'conflict'; readonly state: ReservationState; readonly charged: Amounts }
  /** No such reservation, or its record has been pruned. */
  | { readonly kind: 'unknown' }

export interface AssumeRequest {
  readonly holder: string
  /** The heartbeats that the caller has counted: if there was another since, it lives, and nothing happens. */
  readonly beats?: number
  /** Who says so and why, where a person does. */
  readonly by?: string
  readonly reason?: string
  readonly atMs: number
}

export interface AssumeOutcome {
  readonly reservations: readonly AssumedReservation[]
  /** The scopes whose owner it was: nobody runs them now. */
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
  /** The least that is held of each wanted meter over all limits of the path that can end in a closing call. */
  readonly held: Amounts
}

export interface SetLimitsRequest {
  readonly scopeId: string
  readonly limits: readonly Limit[]
  /** The revision that the caller has seen: if somebody wrote limits since, nothing is written. */
  readonly expectedRevision?: number
  readonly by?: string
  readonly atMs: number
}

export type SetLimitsOutcome =
  | { readonly kind: 'written'; readonly revision: number }
  /** Others were written meanwhile: read the scope again. */
  | { readonly kind: 'stale'; readonly revision: number }
