import type { Breach } from './breach.ts'
import { isStintError, StintError } from './stint-error.ts'

/** A refusal at the edge. The outermost breach leads; `breaches` has all of them, root first. */
export class LimitExceededError extends StintError {
  readonly breach: Breach
  readonly breaches: readonly Breach[]

  /** `cause`: what went wrong with the closing call, where that was tried. */
  constructor(breaches: readonly [Breach, ...Breach[]], options: { readonly cause?: unknown } = {}) {
    super('limit_exceeded', breaches.map((breach) => breach.message).join('\n'), options)
    this.breach = breaches[0]
    this.breaches = breaches
  }
}

/**
 * Whether `error` is a refusal by a limit, optionally of this very scope: whoever handles an inner scope's refusals
 * lets an outer scope's pass.
 */
export function isLimitExceeded(error: unknown, scopeId?: string): error is LimitExceededError {
  if (!isStintError(error, 'limit_exceeded')) return false
  return scopeId === undefined || (error as unknown as LimitExceededError).breach.scope === scopeId
}
