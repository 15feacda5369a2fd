import { showValue } from '../core/errors.ts'
import { StintError } from '../core/stint-error.ts'

/** A description of a model call whose worst case nobody can compute. */
export class InvalidCallError extends StintError {
  readonly field: string
  readonly value: unknown

  constructor(field: string, value: unknown, least: number, most: number) {
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} to 2^53 - 1` : `from ${least} to ${most}`
    super(
      'invalid_call',
      `Model call: ${field} is ${showValue(value)}, but it must be a whole number ${range}. ` +
        'A valid form: { model: "claude-sonnet-4-5", inputTokens: 1200, maxOutputTokens: 4096 }.',
    )
    this.field = field
    this.value = value
  }
}
