import { StintError, showValue } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'

/** The scope or one above it is paused: it admits calls again when it is resumed. */
export class ScopePausedError extends StintError {
  readonly scopeId: string

  /** `reason`: why, where that is known. */
  constructor(scopeId: string, reason = '') {
    const why = reason === '' ? '' : ` (${reason})`
    const how = printable(`scope.resume(), or stint resume ${scopeId}`)
    const message = `The scope ${showValue(scopeId)} is paused${why}. Resume it (${how}), then make the call again.`
    super('scope_paused', message, { retryable: true })
    this.scopeId = scopeId
  }
}
