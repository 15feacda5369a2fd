import { type Breach, type Breaches, isLimitExceeded, LimitExceededError } from '../../core/index.ts'
import { tellMove } from '../steering/tell-move.ts'
import { apply } from './apply-fact.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * Admits nothing more on a scope whose clock has run out, and aborts what works there, the innermost first. The scope
 * ends when its work has: what it has is not thrown away, and a closing call may still be made.
 */
export function haltScope(runtime: ScopeRuntime, breaches: Breaches): void {
  apply(runtime, { kind: 'halted', breaches })
  const reason = new LimitExceededError(breaches)
  for (const child of runtime.children) stopBelow(child, reason)
  runtime.work.abort(reason)
}

/** What nobody here runs has nobody who would close in its name: it is left the time that its ancestor has left. */
function stopBelow(runtime: ScopeRuntime, reason: unknown): void {
  if (!runtime.closing.runsElsewhere) {
    abortAll(runtime, reason)
    return
  }
  for (const child of runtime.children) stopBelow(child, reason)
  runtime.work.abort(reason)
}

/** Admits nothing more: what is in flight finishes, and those who wait are refused. */
export function haltAdmission(runtime: ScopeRuntime, breaches: Breaches): void {
  apply(runtime, { kind: 'halted', breaches })
  runtime.context.line.recheck(runtime.id)
}

/** Aborts everything of a scope and below it, a closing call too. */
export function abortAll(runtime: ScopeRuntime, reason: unknown): void {
  for (const child of runtime.children) abortAll(child, reason)
  if (!runtime.work.signal.aborted) runtime.work.abort(reason)
  if (!runtime.controller.signal.aborted) runtime.controller.abort(reason)
  tellMove(runtime)
}

/** The limits behind the abort of a scope that lives, its own or those of a scope above; `null` where it was not aborted. */
export function abortedBy({ work }: ScopeRuntime): readonly Breach[] | null {
  const reason: unknown = work.signal.aborted ? work.signal.reason : null
  return isLimitExceeded(reason) ? reason.breaches : null
}

/** Lets a scope work again whose clock had run out. An aborted signal stays so: it gets others, as the scope above has. */
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
