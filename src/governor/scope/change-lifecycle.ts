import { emitPaused, emitResumed } from '../events/emit-paused.ts'
import { isUnattended, type Pause } from '../steering/pause.ts'
import { wakeWaiting } from '../steering/wake-waiting.ts'
import { countPauseAbove, setPaused } from './clocks/activity.ts'
import { type Fact, type Lifecycle, reduce } from './lifecycle.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * Applies a fact to a scope's lifecycle, and does what follows when a pause begins or ends. Nothing else writes
 * `runtime.life`. A fact that changes nothing has no effect.
 */
export function changeLifecycle(runtime: ScopeRuntime, fact: Fact): void {
  const before = runtime.life
  const after = reduce(before, fact)
  if (after === before) return
  const written: { life: Lifecycle } = runtime
  written.life = after
  // An ended scope has its own steps: nothing in it continues.
  if (after.pause === before.pause || after.isOver) return
  if (before.pause === null) beginPause(runtime, after.pause!, fact)
  else if (after.pause === null) endPause(runtime, before.pause, fact)
  // Callers waiting for the answer are refused now.
  else if (before.pause.request !== null && after.pause.request === null) runtime.context.line.recheck(runtime.id)
}

function beginPause(runtime: ScopeRuntime, pause: Pause, fact: Fact): void {
  const { breaches, reason, request } = pause
  setPaused(runtime.activity, true)
  countPauseBelow(runtime, 1)
  runtime.clocks.endInvocation()
  if (fact.kind === 'paused' && fact.isReported) emitPaused(runtime, breaches, reason)
  // Waiting callers are refused; what was held for the closing call is free for others.
  if (request === null || isUnattended(pause)) runtime.context.line.recheck(runtime.id)
}

function endPause(runtime: ScopeRuntime, { sinceMs }: Pause, fact: Fact): void {
  const { clock } = runtime.context
  // Before its clocks run: they may pause it again immediately.
  if (fact.kind === 'resumed' && fact.isTold) {
    emitResumed(runtime, fact.by, Math.floor(clock.monotonicMs() - sinceMs))
  }
  setPaused(runtime.activity, false)
  countPauseBelow(runtime, -1)
  runtime.clocks.beginInvocation(runtime.life.halt !== null)
  wakeWaiting(runtime)
}

function countPauseBelow({ children }: ScopeRuntime, change: 1 | -1): void {
  for (const child of children) {
    countPauseAbove(child.activity, change)
    countPauseBelow(child, change)
  }
}
