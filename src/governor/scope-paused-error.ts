import { StintError, showValue } from '../core/index.ts'

/** The scope or one above it is paused: it admits calls again when it is resumed. */
export class ScopePausedError extends StintError {
  readonly scopeId: string

  /** `reason`: why, where that is known. */
  constructor(scopeId: string, reason = '') {
    const why = reason === '' ? '' : ` (${reason})`
    const message = `The scope ${showValue(scopeId)} is paused${why}. Resume it, then make the call again.`
    super('scope_paused', message, { retryable: true })
    this.scopeId = scopeId
  }
}
