import {
  type Amounts,
  childPath,
  type EndStatus,
  isEnded,
  type ScopeKind,
  type ScopeReading,
  zeroVector,
} from '../../../core/index.ts'
import { type ResolvedLimits, resolveLimits } from '../../../policy/index.ts'
import { beginConversation } from '../../calls/wrap-up/conversation.ts'
import { changeLifecycle } from '../change-lifecycle.ts'
import { type Activity, countPauseAbove, createActivity, joinParent } from '../clocks/activity.ts'
import { clockEvents } from '../clocks/clock-events.ts'
import { createScopeClocks } from '../clocks/scope-clocks.ts'
import { currentPlace } from '../current-scope.ts'
import { abortAll } from '../halt-scope.ts'
import { beginLife } from '../lifecycle.ts'
import { type GovernorContext, isClockLimit, type ScopeRuntime } from '../scope-runtime.ts'
import type { PlannedScope } from './admit-children.ts'
import { labelsFrom, labelsOf, type ScopeLabels } from './scope-labels.ts'

/** Creates the runtime of a scope that the store has opened for us: its clocks run from now on. */
export function createRuntime(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  { id, kind, spec, resolved, needs }: PlannedScope,
): ScopeRuntime {
  const labels = labelsFrom(labelsOf(spec))
  const isOwned = kind !== 'lasting'
  const owner = isOwned ? context.holder : null
  const known = { id, name: spec.name, kind, labels, resolved, needs, revision: 1, isOwned, owner }
  return live(build(context, parent, known))
}

/**
 * Creates the runtime of a scope found in the store. Unless we own it, nothing of it runs here: its clocks, and the
 * actions of its limits, are up to its owner.
 */
export function createFoundRuntime(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  reading: ScopeReading,
): ScopeRuntime {
  const runtime = foundRuntime(context, parent, reading)
  return isEnded(reading.status) ? runtime : live(runtime)
}

/** The runtime of a scope found in the store, without keeping it. */
export function foundRuntime(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  reading: ScopeReading,
): ScopeRuntime {
  const { id, name, kind, revision, status, pause, activeMs, owner, isOrphaned, ceilings } = reading
  // A scope that was only registered has no loop yet: it must be admitted when it is opened.
  const isOwned = kind !== 'lasting' && owner === context.holder && !isOrphaned && status !== 'queued'
  const limits = reading.limits.map(({ limit }) => limit)
  const resolved = { ...resolveLimits([]), limits, ceilings }
  const known = { id, name, kind, labels: labelsFrom(reading.labels), resolved, needs: null, revision, isOwned, owner }
  const runtime = build(context, parent, { ...known, isQueued: status === 'queued' }, activeMs)
  countFrom(runtime, reading)
  runtime.known = { readings: reading.limits, since: zeroVector() }
  if (pause !== null) {
    const { breaches, reason, requestId: request } = pause
    const sinceMs = context.clock.monotonicMs()
    const known = { breaches, reason, request, sinceMs, loopEnds: false, conversation: null }
    changeLifecycle(runtime, { kind: 'paused', pause: known, isReported: false })
  }
  if (isEnded(status)) {
    changeLifecycle(runtime, { kind: 'ended', status: status as EndStatus, reason: null })
    runtime.clocks.stop()
    abortAll(runtime, new Error(`"${runtime.path}" has ended (${status})`))
  }
  return runtime
}

/** Gives a scope of another process activity and clocks here: from now on its loop is ours. */
export function makeOwned(runtime: ScopeRuntime, reading: Pick<ScopeReading, 'activeMs' | 'totals'>): void {
  const { context, parent, activity, limits } = runtime
  changeLifecycle(runtime, { kind: 'adopted', holder: context.holder })
  changeLifecycle(runtime, { kind: 'begun' })
  countFrom(runtime, reading)
  runtime.clocks = clocksOf(context, () => runtime, reading.activeMs)
  if (runtime.life.pause !== null) runtime.clocks.endInvocation()
  runtime.clocks.setSuspended(activity.isSuspended)
  if (parent !== null) joinParent(activity, parent.activity)
  runtime.clocks.setLimits(limits.filter(isClockLimit))
}

/** What it has spent so far, in any process. */
function countFrom(runtime: ScopeRuntime, { totals }: Pick<ScopeReading, 'totals'>): void {
  runtime.turns = totals.toolCalls.settled
  runtime.costNanoUsd = totals.cost.settled
}

interface KnownScope {
  readonly id: string
  readonly name: string
  readonly kind: ScopeKind
  readonly labels: ScopeLabels
  readonly resolved: ResolvedLimits
  readonly needs: Amounts | null
  readonly revision: number
  readonly isOwned: boolean
  readonly owner: string | null
  /** It is only registered so far. */
  readonly isQueued?: boolean
}

function build(context: GovernorContext, parent: ScopeRuntime | null, known: KnownScope, activeMs = 0): ScopeRuntime {
  const { id, name, kind, labels, resolved, needs, revision, isOwned, owner, isQueued = false } = known
  const rootToSelf: ScopeRuntime[] = [...(parent?.rootToSelf ?? [])]
  const self = (): ScopeRuntime => runtime
  const runtime: ScopeRuntime = {
    context,
    id,
    name,
    path: childPath(parent?.path ?? null, name),
    kind,
    parent,
    rootToSelf,
    pathIds: [...(parent?.pathIds ?? []), id],
    children: new Set(),
    taskId: labels.taskId,
    agentType: labels.agentType,
    activity: activityOf(isOwned || kind === 'lasting' ? parent : null, self),
    clocks: clocksOf(context, self, activeMs),
    controller: new AbortController(),
    work: new AbortController(),
    startedAtMs: context.clock.monotonicMs(),
    life: beginLife({ isOwned, owner }, isQueued),
    revision,
    resolved,
    limits: resolved.limits,
    steering: { underway: Promise.resolve(), resuming: null, owedResume: null },
    closing: { wrapsUp: labels.wrapsUp, hasWrappedUp: false, runsElsewhere: false, holdAsk: null },
    failedEnds: 0,
    hasEndedWork: false,
    conversation: beginConversation(),
    turns: 0,
    costNanoUsd: 0,
    known: { readings: [], since: zeroVector() },
    provider: { refused: 0, refusedInRow: 0, leftOpenInRow: 0 },
    messages: { length: null, announced: new WeakMap() },
    queued: 0,
    needs,
    promised: {},
    readConversation: null,
    roaming: null,
    handle: null,
  }
  rootToSelf.push(runtime)
  return runtime
}

function live(runtime: ScopeRuntime): ScopeRuntime {
  const { context, id, parent, activity, life } = runtime
  parent?.children.add(runtime)
  context.living.set(id, runtime)
  for (const above of parent?.rootToSelf ?? []) if (above.life.pause !== null) countPauseAbove(activity, 1)
  if (life.isOwned) runtime.clocks.setLimits(runtime.limits.filter(isClockLimit))
  else runtime.clocks.stop()
  return runtime
}

function activityOf(parent: ScopeRuntime | null, runtimeOf: () => ScopeRuntime): Activity {
  const place = currentPlace()
  const within = place !== null && place.scope === parent ? place.call : null
  return createActivity(parent?.activity ?? null, within, (isSuspended) => runtimeOf().clocks.setSuspended(isSuspended))
}

// Created without limits: those may fire immediately, and need a scope that exists.
function clocksOf(context: GovernorContext, runtimeOf: () => ScopeRuntime, activeMs: number) {
  const hasClosingCall = () => runtimeOf().closing.wrapsUp === true
  return createScopeClocks(context.clock, [], hasClosingCall, clockEvents(runtimeOf), activeMs)
}
