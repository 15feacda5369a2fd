import { suggestName } from '../checks/suggest-name.ts'
import { showValue } from '../errors.ts'
import { StintError } from '../stint-error.ts'
import { EVENT_NAMES } from './event-names.ts'

/** A subscription to an event that doesn't exist and would never fire. */
export class UnknownEventError extends StintError<'unknown_event'> {
  readonly value: unknown
  readonly suggestion: string | null

  constructor(value: unknown) {
    const suggestion = typeof value === 'string' ? suggestName(value, EVENT_NAMES) : null
    const remedy = suggestion === null ? `The events are ${EVENT_NAMES.join(', ')}.` : `Did you mean "${suggestion}"?`
    super('unknown_event', `${showValue(value)} is not an event. ${remedy} "*" means all of them.`)
    this.value = value
    this.suggestion = suggestion
  }
}
