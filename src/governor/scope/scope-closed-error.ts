import { StintError, showValue } from '../../core/index.ts'

/** The scope or one above it has ended: nothing more is admitted. */
export class ScopeClosedError extends StintError<'scope_closed'> {
  readonly scopeId: string

  constructor(scopeId: string) {
    super('scope_closed', `The scope ${showValue(scopeId)} has ended: nothing more is admitted there. Open a new one.`)
    this.scopeId = scopeId
  }
}
