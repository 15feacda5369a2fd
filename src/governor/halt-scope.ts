import { type Breaches, type EndStatus, LimitExceededError } from '../core/index.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * Admits nothing more on a scope whose limit was reached, and aborts what runs there, the innermost first. The scope
 * ends when its work has: what it has is not thrown away.
 */
export function haltScope(runtime: ScopeRuntime, breaches: Breaches): void {
  if (runtime.halt !== null) return
  runtime.halt = breaches
  abortBelow(runtime, new LimitExceededError(breaches))
}

function abortBelow(runtime: ScopeRuntime, reason: unknown): void {
  for (const child of runtime.children) abortBelow(child, reason)
  runtime.controller.abort(reason)
}

/** How a scope ends that nobody says more of: by the limit that halted it, or well. */
export function statusAtEnd(runtime: ScopeRuntime): EndStatus {
  if (runtime.halt === null) return 'completed'
  return runtime.halt[0].meter === 'wallTime' ? 'timed-out' : 'limit-reached'
}
