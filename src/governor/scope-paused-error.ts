import { StintError, showValue } from '../core/index.ts'

/** The scope or one above it is paused: it admits calls again when it is resumed. */
export class ScopePausedError extends StintError {
  readonly scopeId: string

  constructor(scopeId: string) {
    super('scope_paused', `The scope ${showValue(scopeId)} is paused. Resume it, then make the call again.`, {
      retryable: true,
    })
    this.scopeId = scopeId
  }
}
