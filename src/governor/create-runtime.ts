import { childPath } from '../core/index.ts'
import { countPauseAbove, createActivity } from './activity.ts'
import type { PlannedScope } from './admit-children.ts'
import { clockEvents } from './clock-events.ts'
import { currentPlace } from './current-scope.ts'
import { createScopeClocks } from './scope-clocks.ts'
import { type GovernorContext, isClockLimit, type ScopeRuntime } from './scope-runtime.ts'

/** Makes a scope that the store has opened live here: its clocks run from now on. */
export function createRuntime(
  context: GovernorContext,
  parent: ScopeRuntime | null,
  { id, kind, spec, resolved, needs }: PlannedScope,
): ScopeRuntime {
  const place = currentPlace()
  const rootToSelf: ScopeRuntime[] = [...(parent?.rootToSelf ?? [])]
  const within = place !== null && place.scope === parent ? place.call : null
  const activity = createActivity(parent?.activity ?? null, within, (stands) => runtime.clocks.setStanding(stands))
  const clockLimits = kind === 'lasting' ? [] : resolved.limits.filter(isClockLimit)
  const wrapsUp = spec.wrapUp === true
  const runtime: ScopeRuntime = {
    context,
    id,
    name: spec.name,
    path: childPath(parent?.path ?? null, spec.name),
    kind,
    parent,
    rootToSelf,
    children: new Set(),
    taskId: spec.taskId ?? null,
    agentType: spec.agentType ?? spec.preset ?? null,
    activity,
    clocks: createScopeClocks(
      context.clock,
      clockLimits,
      wrapsUp,
      clockEvents(() => runtime),
    ),
    controller: new AbortController(),
    work: new AbortController(),
    startedAtMs: context.clock.monotonicMs(),
    resolved,
    limits: resolved.limits,
    status: 'running',
    halt: null,
    stoppedBy: null,
    pause: null,
    wrapsUp,
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
  parent?.children.add(runtime)
  context.living.set(id, runtime)
  for (const above of parent?.rootToSelf ?? []) if (above.pause !== null) countPauseAbove(activity, 1)
  return runtime
}
