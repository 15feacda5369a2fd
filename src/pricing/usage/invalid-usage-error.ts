import { showValue } from '../../core/errors.ts'
import { StintError } from '../../core/stint-error.ts'

/** Usage that isn't in the normalized form. */
export class InvalidUsageError extends StintError<'invalid_usage'> {
  readonly place: string
  readonly field: string
  readonly value: unknown

  constructor(place: string, field: string, value: unknown, reason: string) {
    super(
      'invalid_usage',
      `${place}: ${field === '' ? 'usage' : `usage.${field}`} is ${showValue(value)}, but ${reason}. A valid form: { inputTokens: 1200, outputTokens: 300 }.`,
    )
    this.place = place
    this.field = field
    this.value = value
  }
}
