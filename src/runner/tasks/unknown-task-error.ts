import { StintError, showValue } from '../../core/index.ts'

/** There is no task with this id, or it cannot be resumed. */
export class UnknownTaskError extends StintError<'unknown_task'> {
  readonly id: string

  constructor(id: string, reason = 'No task has this id') {
    super('unknown_task', `${reason}: ${showValue(id)}. See the ids with: stint tasks`)
    this.id = id
  }
}
