import { showValue } from './errors.ts'
import { EVENT_NAMES } from './event-names.ts'
import { StintError } from './stint-error.ts'
import { suggestName } from './suggest-name.ts'

/** A subscription to an event that does not exist, and would never hear anything. */
export class UnknownEventError extends StintError {
  readonly value: unknown
  readonly suggestion: string | null

  constructor(value: unknown) {
    const suggestion = typeof value === 'string' ? suggestName(value, EVENT_NAMES) : null
    const remedy = suggestion === null ? `The events are ${EVENT_NAMES.join(', ')}.` : `Did you mean "${suggestion}"?`
    super('unknown_event', `${showValue(value)} is no event. ${remedy} "*" means all of them.`)
    this.value = value
    this.suggestion = suggestion
  }
}
