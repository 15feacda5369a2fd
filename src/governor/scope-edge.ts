import { type Breach, type Breaches, type EndStatus, InvalidOptionError, type Meter } from '../core/index.ts'
import type { ModelPrice } from '../pricing/index.ts'
import type { CallOutcome, ModelAnswer, ModelCallSpec, ModelGrant, Refusal } from './call.ts'
import { callWrapUp } from './calls/call-model.ts'
import { callUnderReservation } from './calls/call-under-reservation.ts'
import { type FoundReservation, findReservation } from './calls/find-reservation.ts'
import { cutShortBy } from './calls/wrap-up/cut-short-by.ts'
import { expectWrapUp, type WrapUpOptions } from './calls/wrap-up/expect-wrap-up.ts'
import { lapseConversation } from './calls/wrap-up/lapse-conversation.ts'
import { keepConversation } from './calls/wrap-up/roaming-conversation.ts'
import type { ChildSpec, Scope } from './governor.ts'
import type { Standing } from './hints/index.ts'
import { planProviderTools } from './provider-tools/plan-provider-tools.ts'
import type { PlannedProviderTools, ProviderToolsQuestion } from './provider-tools/provider-run-tool.ts'
import { detachScope } from './scope/detach-scope.ts'
import { endScope, endScopeAs } from './scope/end-scope.ts'
import { haltAt } from './scope/halt-at.ts'
import { statusAtEnd } from './scope/lifecycle.ts'
import { askBeforehand, type OpenQuestion } from './scope/open/ask-to-open.ts'
import { type ConversationSpec, type JoinedConversation, joinConversation } from './scope/open/join-conversation.ts'
import { assertBudgetsAbove } from './scope/open/open-below-budgets.ts'
import { enlistScopes } from './scope/open/open-scope.ts'
import { assertChildSpecs } from './scope/open/open-spec.ts'
import { emptiedOnPath } from './scope/path/emptied-on-path.ts'
import { type EnforcedLimit, enforcedOnPath } from './scope/path/enforced-on-path.ts'
import { type KnownMeter, knownMeters } from './scope/path/known-meters.ts'
import { type PathLimits, pathLimits } from './scope/path/path-limits.ts'
import { standingsOnPath } from './scope/path/path-standings.ts'
import { remainingOnPath } from './scope/path/remaining-on-path.ts'
import { handleOf, runtimeBehind } from './scope/scope-handle.ts'
import type { ScopeRuntime } from './scope/scope-runtime.ts'
import { catchUp } from './steering/catch-up.ts'
import type { IncreaseRequest } from './steering/increase.ts'
import { type HoldingPause, pauseOnPath, untilResumed } from './steering/until-resumed.ts'

/** How close a scope is to its end, for an edge that must end something with it: a process, a connection. */
export interface ScopeEnd {
  /** The limits that halted it: only a closing call is still admitted. `null` while it may continue. */
  readonly breaches: Breaches | null
  /** The limits that paused it; `null` if it is not paused, or a person paused it. */
  readonly pausedBy: Breaches | null
  /** Why it is paused or has ended, in words; `null` while it may continue. */
  readonly reason: string | null
  /** Aborted when nothing may continue, not even a closing call. */
  readonly signal: AbortSignal
}

/**
 * What an edge (an adapter, the gateway, the runner) needs of a scope beyond its public interface. Nothing here changes
 * a rule: an edge asks for the scope's state, and reports what only the edge can know.
 */
export interface ScopeEdge {
  /** Whether it is the run of one agent; `false` for a lasting scope, which is shared. */
  readonly runsAgent: boolean
  /** Whether it is part of another process's run, so that its requests pass through that process's gateway. */
  isWithinAnother(): boolean
  /** Whether what is opened in it is below an agent: it is one itself, or one is above it. */
  isWithinAgent(): boolean
  /** Whether its spending is charged to `other`: they are the same scope, or `other` is above it. */
  isChargedTo(other: Scope): boolean

  /** What the limits on its path require of a request. */
  pathLimits(): PathLimits
  /** The enforced limits on its path, root first. */
  enforcedOnPath(): readonly EnforcedLimit[]
  /**
   * The state of its own limits as known to this process: as last read, plus what was settled here since. For displays:
   * does not query the store.
   */
  knownMeters(): readonly KnownMeter[]
  /** The state of every limit on its path, from the store: what hints and reports are made from. */
  standings(): Promise<readonly Standing[]>
  /** What is left of each limited meter on the tightest scope of the path. Limits that only warn do not count. */
  remainingOnPath(): Promise<ReadonlyMap<Meter, number>>
  /**
   * The outermost used-up limit on one of these meters, as the breach that one more would cause; `null` if there is
   * none. Read-only: no limit acts.
   */
  emptiedOnPath(meters: readonly Meter[]): Promise<Breach | null>
  /** The price of calls to a model at this governor; `null` if it has none. */
  priceOf(model: string): ModelPrice | null
  /**
   * The limit that restricts a call's output the most, as the breach that its full output cap would cause; `null` if no
   * limit does. Read-only: no limit acts.
   */
  cutShortBy(spec: ModelCallSpec): Promise<Breach | null>

  /**
   * Registers children that are opened later, each by its id: all of them, or none, so that a group is admitted as a
   * whole although only some of its children run at once. Until then they are `queued`. Throws `LimitExceededError` if
   * they are refused.
   */
  enlist(specs: readonly ChildSpec[]): Promise<void>
  /**
   * Asks before this many children are opened, if a `spawns` limit on its path has the action `ask`, and waits for the
   * answer; with `waits: false` it throws `ScopePausedError` instead, and the request stays open. Opens nothing. Throws
   * `LimitExceededError` if the request is denied.
   */
  askToOpen(children: number, question: OpenQuestion): Promise<void>

  /** The state of a request for more; `null` if there is none with this id. */
  requestStatus(requestId: string): Promise<IncreaseRequest['status'] | null>

  /** How close it is to its end now. */
  end(): ScopeEnd
  /**
   * Ends it with the edge's own status, which knows more than the ledger: if a clean answer arrives right at the limit,
   * the run is completed even if a limit refused something else.
   */
  endAs(status: EndStatus, reason: string): Promise<void>
  /**
   * Admits nothing more, for an edge that finds a limit ended the work without refusing a call: an answer truncated by
   * its cap. A closing call may still be made.
   */
  haltAt(breaches: Breaches): void
  /** The outermost pause on its path; `null` if there is none. */
  pauseOnPath(): HoldingPause | null
  /**
   * Waits while anything on its path is paused. `true`: it continues. `false`: it has ended, or `signal` was aborted.
   */
  untilResumed(signal: AbortSignal): Promise<boolean>
  /** Records activity for `idleTime` that is not a call: a line of output, a sign of life. */
  touch(): void

  /**
   * Sets how to read what its loop needs to continue; `null` when the loop has ended. Every pause that begins here
   * saves it, so that a process that dies while paused or while a request is open loses nothing.
   */
  keepConversation(read: (() => unknown) | null): void
  /**
   * Makes it end with a closing call from now on, unless it was opened with `wrapUp: false`; returns whether it does.
   * Call it before the first model call, which takes the hold. `runsElsewhere`: the loop is in a program known only by
   * its requests, so its end is not seen, and `lapseConversation` releases the hold.
   */
  expectWrapUp(options?: WrapUpOptions): boolean
  /**
   * Releases what it holds for its closing call, if its program may be gone. Its next call is admitted like the first
   * of a conversation.
   */
  lapseConversation(): Promise<void>
  /**
   * Opens the scope of a conversation below it, or takes it over from the process that served its last request. For a
   * gateway that is one of several: ask with every request.
   */
  joinConversation(spec: ConversationSpec): Promise<JoinedConversation<Scope>>
  /** Stores what the next process needs to continue a joined conversation. Does nothing for other scopes. */
  keepLearned(learned: string | null): Promise<void>
  /** Ends it here: a joined conversation that another process has by now continues there. */
  endConversation(): Promise<void>
  /**
   * A second closing call, after the first returned nothing or was truncated: paid from what the first left unspent and
   * others do not hold, and refused if it does not fit.
   */
  repeatWrapUp<Value>(
    spec: ModelCallSpec,
    run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
  ): Promise<CallOutcome<Value>>

  /** The open reservation with this id, if it belongs to this scope or one below it; `null` otherwise. */
  findReservation(reservationId: string): Promise<FoundReservation | null>
  /**
   * Makes a model call under a reservation that a process below this scope made, and charges it from the answer.
   * `null`: the reservation does not cover the call's worst case on every meter at this governor's prices, so reserve
   * as usual. The output is capped at what was reserved.
   */
  callUnderReservation<Value>(
    reservation: FoundReservation,
    spec: ModelCallSpec,
    run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
  ): Promise<Exclude<CallOutcome<Value>, Refusal> | null>
  /** How a request may use its provider-run tools, and what to reserve for them. `spec` is the call without them. */
  planProviderTools(spec: ModelCallSpec, question: ProviderToolsQuestion): Promise<PlannedProviderTools>
}

const EDGES = new WeakMap<Scope, ScopeEdge>()

/** The edge's view of a scope: the same object for the same scope. Throws for anything a governor did not create. */
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
    isWithinAgent: () => runtime.rootToSelf.some(({ kind }) => kind === 'agent'),
    isChargedTo: (other) => runtime.rootToSelf.some(({ id }) => id === other.id),

    pathLimits: () => pathLimits(runtime),
    enforcedOnPath: () => enforcedOnPath(runtime),
    knownMeters: () => knownMeters(runtime),
    standings: () => standingsOnPath(runtime),
    remainingOnPath: () => remainingOnPath(runtime),
    emptiedOnPath: (meters) => emptiedOnPath(runtime, meters),
    priceOf: (model) => runtime.context.prices.find(model),
    cutShortBy: (spec) => cutShortBy(runtime, spec),

    async enlist(specs) {
      assertChildSpecs(specs)
      await assertBudgetsAbove(runtime.context, runtime, specs)
      await enlistScopes(runtime, specs)
    },
    askToOpen: (children, question) => askBeforehand(runtime, children, question),

    async requestStatus(requestId) {
      return (await runtime.context.store.requests({ requestId }))[0]?.status ?? null
    },

    end() {
      const { life, controller } = runtime
      const { halt, pause, endReason } = life
      const reason = pause?.reason ?? endReason
      return { breaches: halt, pausedBy: pause?.breaches ?? null, reason, signal: controller.signal }
    },
    endAs: (status, reason) => endScopeAs(runtime, status, reason),
    haltAt: (breaches) => haltAt(runtime, breaches),
    pauseOnPath: () => pauseOnPath(runtime),
    untilResumed: (signal) => untilResumed(runtime, signal),
    touch: () => runtime.clocks.touch(),

    keepConversation(read) {
      runtime.readConversation = read
    },
    expectWrapUp: (options = {}) => expectWrapUp(runtime, options),
    lapseConversation: () => lapseConversation(runtime),
    async joinConversation(spec) {
      const { scope, ...joined } = await joinConversation(runtime, spec)
      return { ...joined, scope: handleOf(scope) }
    },
    keepLearned: (learned) => keepConversation(runtime, learned),
    async endConversation() {
      if (runtime.roaming !== null) await catchUp(runtime)
      const isElsewhere = runtime.roaming !== null && !runtime.life.isOwned
      if (isElsewhere) await detachScope(runtime, `"${runtime.path}" continues in another process`, 'detached')
      else await endScope(runtime, statusAtEnd(runtime.life), 'closed')
    },
    repeatWrapUp: (spec, run) => callWrapUp(runtime, spec, run, { again: true }),

    findReservation: (reservationId) => findReservation(runtime, reservationId),
    callUnderReservation: (reservation, spec, run) => callUnderReservation(runtime, reservation, spec, run),
    planProviderTools: (spec, question) => planProviderTools(runtime, spec, question),
  }
}
