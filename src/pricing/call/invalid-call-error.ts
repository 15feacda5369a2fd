import { showValue } from '../../core/errors.ts'
import { StintError } from '../../core/stint-error.ts'

const VALID_CALL = '{ model: "claude-sonnet-4-5", inputTokens: 1200, maxOutputTokens: 4096 }'

export interface CallProblem {
  /** What was called or described. Default: `Model call`. */
  readonly place?: string
  readonly field: string
  readonly value: unknown
  /** The requirement, as the end of a sentence. */
  readonly reason: string
  readonly suggestion?: string | null
  readonly validForm?: string
}

/** A model call whose cost or worst case can't be computed. */
export class InvalidCallError extends StintError<'invalid_call'> {
  readonly field: string
  readonly value: unknown
  readonly suggestion: string | null

  constructor(problem: CallProblem) {
    const { place = 'Model call', field, value, reason, suggestion = null, validForm = VALID_CALL } = problem
    const hint = suggestion === null ? '' : ` Did you mean ${suggestion}?`
    super(
      'invalid_call',
      `${place}: ${field} is ${showValue(value)}, but ${reason}.${hint} A valid form: ${validForm}.`,
    )
    this.field = field
    this.value = value
    this.suggestion = suggestion
  }
}
