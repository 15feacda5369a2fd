import { isStintError, StintError } from '../stint-error.ts'
import type { Breach } from './breach.ts'

/** A refusal by limits. The outermost breach comes first; `breaches` has all of them, root first. */
export class LimitExceededError extends StintError<'limit_exceeded'> {
  readonly breach: Breach
  readonly breaches: readonly [Breach, ...Breach[]]

  /** `cause`: why the closing call failed, if one was tried. */
  constructor(breaches: LimitExceededError['breaches'], options: { readonly cause?: unknown } = {}) {
    super('limit_exceeded', breaches.map((breach) => breach.message).join('\n'), options)
    this.breach = breaches[0]
    this.breaches = breaches
  }
}

/**
 * Whether `error` is a refusal by a limit, optionally of this scope. Handlers for an inner scope let refusals of outer
 * scopes pass.
 */
export function isLimitExceeded(error: unknown, scopeId?: string): error is LimitExceededError {
  if (!isStintError<LimitExceededError>(error, 'limit_exceeded')) return false
  return scopeId === undefined || error.breach.scope === scopeId
}
