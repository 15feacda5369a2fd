import { tellPaused, tellResumed } from '../events/tell-paused.ts'
import type { Pause } from '../steering/pause.ts'
import { tellMove } from '../steering/tell-move.ts'
import { countPauseAbove, setPaused } from './activity.ts'
import { type Fact, type Lifecycle, reduce } from './lifecycle.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * Writes what a fact makes of the life of a scope, and does what follows from a pause that begins or ends. Nothing else
 * writes `runtime.life`. A fact that changes nothing has no effect.
 */
export function apply(runtime: ScopeRuntime, fact: Fact): void {
  const before = runtime.life
  const after = reduce(before, fact)
  if (after === before) return
  const written: { life: Lifecycle } = runtime
  written.life = after
  // What is over has its own steps: nothing of it goes on.
  if (after.pause === before.pause || after.isOver) return
  if (before.pause === null) beginPause(runtime, after.pause!, fact)
  else if (after.pause === null) endPause(runtime, before.pause, fact)
  // Those who waited for the answer are refused now.
  else if (before.pause.request !== null && after.pause.request === null) runtime.context.line.recheck(runtime.id)
}

function beginPause(runtime: ScopeRuntime, { breaches, reason, request }: Pause, fact: Fact): void {
  setPaused(runtime.activity, true)
  countPauseBelow(runtime, 1)
  runtime.clocks.endInvocation()
  if (fact.kind === 'paused' && fact.isTold) tellPaused(runtime, breaches, reason)
  // Those who wait are refused; what was held back for the closing call is there for others.
  if (request === null) runtime.context.line.recheck(runtime.id)
}

function endPause(runtime: ScopeRuntime, { sinceMs }: Pause, fact: Fact): void {
  const { clock } = runtime.context
  // Before its clocks run: they may pause it anew at once.
  if (fact.kind === 'resumed' && fact.isTold) {
    tellResumed(runtime, fact.by, Math.floor(clock.monotonicMs() - sinceMs))
  }
  setPaused(runtime.activity, false)
  countPauseBelow(runtime, -1)
  runtime.clocks.beginInvocation(runtime.life.halt !== null)
  tellMove(runtime)
}

function countPauseBelow({ children }: ScopeRuntime, change: 1 | -1): void {
  for (const child of children) {
    countPauseAbove(child.activity, change)
    countPauseBelow(child, change)
  }
}
