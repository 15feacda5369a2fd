import { type Breach, type Breaches, isLimitExceeded, LimitExceededError } from '../../core/index.ts'
import { wakeWaiting } from '../steering/wake-waiting.ts'
import { changeLifecycle } from './change-lifecycle.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * Admits nothing more on a scope whose clock has run out, and aborts its work, innermost first. The scope ends when its
 * work has: its results are kept, and a closing call may still be made.
 */
export function haltScope(runtime: ScopeRuntime, breaches: Breaches): void {
  changeLifecycle(runtime, { kind: 'halted', breaches })
  const reason = new LimitExceededError(breaches)
  for (const child of runtime.children) stopBelow(child, reason)
  runtime.work.abort(reason)
}

/**
 * A scope that does not run here has no loop here to make its closing call: it keeps the time that its ancestor has
 * left.
 */
function stopBelow(runtime: ScopeRuntime, reason: unknown): void {
  if (!runtime.closing.runsElsewhere) {
    abortAll(runtime, reason)
    return
  }
  for (const child of runtime.children) stopBelow(child, reason)
  runtime.work.abort(reason)
}

/** Admits nothing more: what is in flight finishes, and waiting callers are refused. */
export function haltAdmission(runtime: ScopeRuntime, breaches: Breaches): void {
  changeLifecycle(runtime, { kind: 'halted', breaches })
  runtime.context.line.recheck(runtime.id)
}

/** Aborts everything in a scope and below it, including a closing call. */
export function abortAll(runtime: ScopeRuntime, reason: unknown): void {
  for (const child of runtime.children) abortAll(child, reason)
  if (!runtime.work.signal.aborted) runtime.work.abort(reason)
  if (!runtime.controller.signal.aborted) runtime.controller.abort(reason)
  wakeWaiting(runtime)
}

/** The limits that aborted a live scope, its own or those of a scope above; `null` if it was not aborted. */
export function abortedBy({ work }: ScopeRuntime): readonly Breach[] | null {
  const reason: unknown = work.signal.aborted ? work.signal.reason : null
  return isLimitExceeded(reason) ? reason.breaches : null
}

/**
 * Lets a scope whose clock had run out work again. An aborted signal stays aborted, so it gets new ones, like the scope
 * above.
 */
export function renewSignals(runtime: ScopeRuntime): void {
  const { parent } = runtime
  if (runtime.work.signal.aborted) runtime.work = freshController(parent?.work ?? null)
  if (runtime.controller.signal.aborted) runtime.controller = freshController(parent?.controller ?? null)
}

function freshController(above: AbortController | null): AbortController {
  const controller = new AbortController()
  if (above?.signal.aborted === true) controller.abort(above.signal.reason)
  return controller
}
