import { showValue } from '../../../core/errors.ts'
import { StintError } from '../../../core/stint-error.ts'

/** An invalid price. Nothing is ever read as free by accident. */
export class InvalidPriceError extends StintError<'invalid_price'> {
  /** The path to the value, with its file if there is one. */
  readonly place: string
  readonly value: unknown
  readonly validForm: string
  readonly suggestion: string | null

  constructor(problem: {
    place: string
    value: unknown
    reason: string
    validForm: string
    suggestion?: string | null
  }) {
    const { place, value, reason, validForm, suggestion = null } = problem
    const hint = suggestion === null ? '' : ` Did you mean ${suggestion}?`
    const subject = value === undefined ? 'This' : showValue(value)
    super('invalid_price', `${place}: ${subject} ${reason}.${hint} A valid form: ${validForm}.`)
    this.place = place
    this.value = value
    this.validForm = validForm
    this.suggestion = suggestion
  }
}
