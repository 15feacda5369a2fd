import { type Amounts, childPath, isEnded, type ScopeKind, type ScopeReading } from '../core/index.ts'
import { type ResolvedLimits, resolveLimits } from '../policy/index.ts'
import { type Activity, countPauseAbove, createActivity } from './activity.ts'
import type { PlannedScope } from './admit-children.ts'
import { clockEvents } from './clock-events.ts'
import { currentPlace } from './current-scope.ts'
import { createScopeClocks } from './scope-clocks.ts'
import { labelsFrom, labelsOf, type ScopeLabels } from './scope-labels.ts'
import { type GovernorContext, isClockLimit, type ScopeRuntime } from './scope-runtime.ts'

/** Makes a scope that the store has opened for us live here: its clocks run from now on. */
export function createRuntime(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  { id, kind, spec, resolved, needs }: PlannedScope,
): ScopeRuntime {
  const labels = labelsFrom(labelsOf(spec))
  const known = { id, name: spec.name, kind, labels, resolved, needs, revision: 1, isOwned: kind !== 'lasting' }
  return live(build(context, parent, known))
}

/**
 * Makes a scope that is in the store known here, as it stands there. Unless we own it, nothing of it lives here: its
 * clocks, and what its limits do, are its owner's.
 */
export function createFoundRuntime(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  reading: ScopeReading,
): ScopeRuntime {
  const { id, name, kind, revision, status, pause, activeMs, owner, isOrphaned } = reading
  const isOwned = kind !== 'lasting' && owner === context.holder && !isOrphaned
  const limits = reading.limits.map(({ limit }) => limit)
  const ceilings = limits.filter(({ source }) => source.layer === 'ceiling')
  const resolved = { ...resolveLimits([]), limits, ceilings }
  const known = { id, name, kind, labels: labelsFrom(reading.labels), resolved, needs: null, revision, isOwned }
  const runtime = build(context, parent, known, activeMs)
  runtime.status = status
  if (pause !== null) {
    const { breaches, requestId: request } = pause
    runtime.pause = { breaches, request, sinceMs: context.clock.monotonicMs(), conversation: null }
  }
  return isEnded(status) ? runtime : live(runtime)
}

/** Gives a scope that was another's a standing and clocks here: from now on its loop is ours. */
export function makeOwned(runtime: ScopeRuntime, activeMs: number): void {
  runtime.isOwned = true
  runtime.activity = activityOf(runtime.parent, () => runtime)
  runtime.clocks.stop()
  runtime.clocks = clocksOf(runtime.context, runtime.wrapsUp, () => runtime, activeMs)
  runtime.clocks.setLimits(runtime.limits.filter(isClockLimit))
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
}

function build(context: GovernorContext, parent: ScopeRuntime | null, known: KnownScope, activeMs = 0): ScopeRuntime {
  const { id, name, kind, labels, resolved, needs, revision, isOwned } = known
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
    children: new Set(),
    taskId: labels.taskId,
    agentType: labels.agentType,
    activity: activityOf(isOwned || kind === 'lasting' ? parent : null, self),
    clocks: clocksOf(context, labels.wrapsUp, self, activeMs),
    controller: new AbortController(),
    work: new AbortController(),
    startedAtMs: context.clock.monotonicMs(),
    isOwned,
    revision,
    resolved,
    limits: resolved.limits,
    status: 'running',
    halt: null,
    stoppedBy: null,
    pause: null,
    moves: 0,
    wrapsUp: labels.wrapsUp,
    hasWrappedUp: false,
    holdAsk: null,
    firstInputTokens: null,
    turns: 0,
    costNanoUsd: 0,
    queued: 0,
    needs,
    promised: {},
    handle: null,
  }
  rootToSelf.push(runtime)
  return runtime
}

function live(runtime: ScopeRuntime): ScopeRuntime {
  const { context, id, parent, activity, isOwned } = runtime
  parent?.children.add(runtime)
  context.living.set(id, runtime)
  for (const above of parent?.rootToSelf ?? []) if (above.pause !== null) countPauseAbove(activity, 1)
  if (isOwned) runtime.clocks.setLimits(runtime.limits.filter(isClockLimit))
  else runtime.clocks.stop()
  return runtime
}

function activityOf(parent: ScopeRuntime | null, runtimeOf: () => ScopeRuntime): Activity {
  const place = currentPlace()
  const within = place !== null && place.scope === parent ? place.call : null
  return createActivity(parent?.activity ?? null, within, (stands) => runtimeOf().clocks.setStanding(stands))
}

// Made without limits: what they have to say at once can only be said of a scope that is there.
function clocksOf(context: GovernorContext, wrapsUp: boolean, runtimeOf: () => ScopeRuntime, activeMs: number) {
  return createScopeClocks(context.clock, [], wrapsUp, clockEvents(runtimeOf), activeMs)
}
