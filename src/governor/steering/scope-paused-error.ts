import { printable } from '../../core/checks/printable.ts'
import { StintError, showValue } from '../../core/index.ts'

/** The scope or one above it is paused: it admits calls again once resumed. */
export class ScopePausedError extends StintError<'scope_paused'> {
  readonly scopeId: string

  /** `reason`: why, if known. */
  constructor(scopeId: string, reason = '') {
    const why = reason === '' ? '' : ` (${reason})`
    const how = printable(`scope.resume(), or stint resume ${scopeId}`)
    const message = `The scope ${showValue(scopeId)} is paused${why}. Resume it (${how}), then make the call again.`
    super('scope_paused', message, { retryable: true })
    this.scopeId = scopeId
  }
}
