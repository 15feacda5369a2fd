import { type Breach, type Breaches, type EndStatus, InvalidOptionError, type Meter } from '../core/index.ts'
import type { CallOutcome, DoneCall, ModelAnswer, ModelCallSpec, ModelGrant, StoppedCall } from './call.ts'
import { callWrapUp } from './calls/call-model.ts'
import { callUnderReservation } from './calls/call-under-reservation.ts'
import { cutShortBy } from './calls/closing/cut-short-by.ts'
import { expectWrapUp, type WrapUpOptions } from './calls/closing/expect-wrap-up.ts'
import { lapseConversation } from './calls/closing/lapse-conversation.ts'
import { type FoundReservation, findReservation } from './calls/find-reservation.ts'
import type { Scope } from './governor.ts'
import { planProviderTools } from './provider-tools/plan-provider-tools.ts'
import type { PlannedProviderTools, ProviderToolsQuestion } from './provider-tools/provider-run-tool.ts'
import { emptiedOnPath } from './scope/emptied-on-path.ts'
import { endScopeAs } from './scope/end-scope.ts'
import { type EnforcedLimit, enforcedOnPath } from './scope/enforced-on-path.ts'
import { haltAt } from './scope/halt-at.ts'
import { type KnownMeter, knownMeters } from './scope/known-meters.ts'
import { type PathLimits, pathLimits } from './scope/path-limits.ts'
import { remainingOnPath } from './scope/remaining-on-path.ts'
import { runtimeBehind } from './scope/scope-handle.ts'
import type { ScopeRuntime } from './scope/scope-runtime.ts'
import { type HoldingPause, pauseOnPath, untilGoesOn } from './steering/until-goes-on.ts'

/** How near its end a scope is, for an edge that must end something of its own with it: a process, a connection. */
export interface ScopeEnd {
  /** The limits that halted it: only a closing call is still admitted. `null` while it may go on. */
  readonly breaches: Breaches | null
  /** The limits that paused it; `null` while it is not paused, or if a person paused it. */
  readonly pausedBy: Breaches | null
  /** Why it is paused, or has ended, in words; `null` while it may go on. */
  readonly reason: string | null
  /** Aborted when nothing may go on, not even a closing call. */
  readonly signal: AbortSignal
}

/**
 * What an edge (an adapter, the gateway, the runner) needs of a scope beyond what its users have. Nothing here changes a
 * rule: an edge asks how its scope stands, and reports what only the edge can know.
 */
export interface ScopeEdge {
  /** Whether it is the run of one agent; `false` for a lasting scope, which many spend from. */
  readonly runsAgent: boolean
  /** Whether it is part of a run of another process, whose gateway its requests then pass. */
  isWithinAnother(): boolean
  /** Whether what it spends is charged to `other`: they are the same scope, or `other` is above it. */
  isChargedTo(other: Scope): boolean

  /** What the limits on its path make necessary in a request. */
  pathLimits(): PathLimits
  /** The limits of its path that refuse, the root's first. */
  enforcedOnPath(): readonly EnforcedLimit[]
  /**
   * How its own limits stand, as far as this process knows: as they were last read, with what was settled here since. For
   * displays: reads nothing.
   */
  knownMeters(): readonly KnownMeter[]
  /** What is left of each limited meter on the tightest scope of the path. Limits that only warn do not count. */
  remainingOnPath(): Promise<ReadonlyMap<Meter, number>>
  /**
   * The outermost limit on one of these meters that is used up, as the breach that one more would be; `null` while there
   * is none. Only reads: no limit acts on it.
   */
  emptiedOnPath(meters: readonly Meter[]): Promise<Breach | null>
  /**
   * The limit that bounds the output of a call the most, as the breach that its whole output cap would be; `null` where
   * no limit does. Only reads: no limit acts on it.
   */
  cutShortBy(spec: ModelCallSpec): Promise<Breach | null>

  /** How near its end it is now. */
  end(): ScopeEnd
  /**
   * Ends it with the edge's own verdict, which knows more than the ledger: a clean answer that arrived at the boundary
   * is a completed run, even if a limit refused something beside it.
   */
  endAs(status: EndStatus, reason: string): Promise<void>
  /**
   * Admits nothing more where the edge has found that a limit ended the work though no call was refused: an answer that
   * its cap has cut. A closing call may still be made.
   */
  haltAt(breaches: Breaches): void
  /** The outermost pause on its path; `null` while there is none. */
  pauseOnPath(): HoldingPause | null
  /** Waits while anything on its path is paused. `true`: it goes on. `false`: it has ended, or `signal` was aborted. */
  untilGoesOn(signal: AbortSignal): Promise<boolean>
  /** Something happened that counts as work for `idleTime` though it is not a call: a line of output, a sign of life. */
  touch(): void

  /**
   * Says what its loop needs to go on; `null` when the loop has ended. Every pause that begins here saves it, so that a
   * process that dies in a pause, or while a question waits for its answer, loses nothing.
   */
  keepConversation(read: (() => unknown) | null): void
  /**
   * Makes it end with a closing call from now on, unless it was opened with `wrapUp: false`; returns whether it does. To
   * be said before the first model call, with which the hold is taken. `runsElsewhere`: its loop is in a program that is
   * only known by its requests, so that its end is not seen and `lapseConversation` gives the hold back.
   */
  expectWrapUp(options?: WrapUpOptions): boolean
  /**
   * Gives back what it holds for its closing call, where its program may have gone. Its next call is admitted like the
   * first of a conversation.
   */
  lapseConversation(): Promise<void>
  /**
   * A second closing call, after the first was answered with nothing or was cut: paid from what the first left unspent
   * and others do not hold, and refused where it does not fit.
   */
  repeatWrapUp<Value>(
    spec: ModelCallSpec,
    run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
  ): Promise<CallOutcome<Value>>

  /** The open reservation with this id, if it is one of this scope or of a scope below it; `null` otherwise. */
  findReservation(reservationId: string): Promise<FoundReservation | null>
  /**
   * Makes a model call under room that a process below this scope has set aside for it, and charges it from the answer.
   * `null`: the reservation does not cover the call's worst case on every meter at the prices of this governor, so that
   * it must be asked for like any other. Its output is cut to what was set aside.
   */
  callUnderReservation<Value>(
    reservation: FoundReservation,
    spec: ModelCallSpec,
    run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
  ): Promise<DoneCall<Value> | StoppedCall | null>
  /** How a request may use the tools that its provider runs, and what to reserve for them. `spec` is the call without. */
  planProviderTools(spec: ModelCallSpec, question: ProviderToolsQuestion): Promise<PlannedProviderTools>
}

const EDGES = new WeakMap<Scope, ScopeEdge>()

/** The edge's side of a scope: the same object for the same scope. Throws for what no governor has made. */
export function edgeOf(scope: Scope): ScopeEdge {
  const known = EDGES.get(scope)
  if (known !== undefined) return known
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('edgeOf(scope)', scope, 'a scope of a governor')
  const edge = createEdge(runtime)
  EDGES.set(scope, edge)
  return edge
}

function createEdge(runtime: ScopeRuntime): ScopeEdge {
  return {
    runsAgent: runtime.kind !== 'lasting',
    isWithinAnother: () => runtime.rootToSelf.some(({ kind, life }) => kind !== 'lasting' && !life.isOwned),
    isChargedTo: (other) => runtime.rootToSelf.some(({ id }) => id === other.id),

    pathLimits: () => pathLimits(runtime),
    enforcedOnPath: () => enforcedOnPath(runtime),
    knownMeters: () => knownMeters(runtime),
    remainingOnPath: () => remainingOnPath(runtime),
    emptiedOnPath: (meters) => emptiedOnPath(runtime, meters),
    cutShortBy: (spec) => cutShortBy(runtime, spec),

    end() {
      const { life, controller } = runtime
      const { halt, pause, endReason } = life
      const reason = pause?.reason ?? endReason
      return { breaches: halt, pausedBy: pause?.breaches ?? null, reason, signal: controller.signal }
    },
    endAs: (status, reason) => endScopeAs(runtime, status, reason),
    haltAt: (breaches) => haltAt(runtime, breaches),
    pauseOnPath: () => pauseOnPath(runtime),
    untilGoesOn: (signal) => untilGoesOn(runtime, signal),
    touch: () => runtime.clocks.touch(),

    keepConversation(read) {
      runtime.readConversation = read
    },
    expectWrapUp: (options = {}) => expectWrapUp(runtime, options),
    lapseConversation: () => lapseConversation(runtime),
    repeatWrapUp: (spec, run) => callWrapUp(runtime, spec, run, { again: true }),

    findReservation: (reservationId) => findReservation(runtime, reservationId),
    callUnderReservation: (reservation, spec, run) => callUnderReservation(runtime, reservation, spec, run),
    planProviderTools: (spec, question) => planProviderTools(runtime, spec, question),
  }
}
