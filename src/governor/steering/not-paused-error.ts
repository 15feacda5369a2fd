import { type Status, StintError, showValue } from '../../core/index.ts'

/** Only a paused scope can be resumed, and only once per pause. */
export class NotPausedError extends StintError<'not_paused'> {
  readonly scopeId: string
  readonly status: Status

  constructor(scopeId: string, status: Status) {
    super('not_paused', `The scope ${showValue(scopeId)} is ${status}, not paused: there is nothing to resume.`)
    this.scopeId = scopeId
    this.status = status
  }
}
