import { showValue } from '../errors.ts'
import { StintError } from '../stint-error.ts'
import { isOneOf } from './is-one-of.ts'

/** An option or argument with an unusable value. */
export class InvalidOptionError extends StintError<'invalid_option'> {
  readonly place: string
  readonly value: unknown

  /** `validForm` completes "… must be": `a whole number from 1, e.g. 10000`. */
  constructor(place: string, value: unknown, validForm: string) {
    const state = value === undefined ? 'missing' : showValue(value)
    super('invalid_option', `${place} is ${state}, but must be ${validForm}.`)
    this.place = place
    this.value = value
  }
}

export function assertWholeNumber(place: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return
  throw new InvalidOptionError(place, value, `a whole number from ${least} to ${most}`)
}

export function assertOneOf(place: string, value: unknown, words: readonly string[]): void {
  if (isOneOf(value, words)) return
  throw new InvalidOptionError(place, value, `one of ${words.join(', ')}`)
}
