import { showValue } from './errors.ts'
import { StintError } from './stint-error.ts'

/** An option or argument of a part that cannot work with it. */
export class InvalidOptionError extends StintError {
  readonly place: string
  readonly value: unknown

  /** `validForm` completes "… must be": `a whole number from 1, e.g. 10000`. */
  constructor(place: string, value: unknown, validForm: string) {
    super('invalid_option', `${place} is ${showValue(value)}, but must be ${validForm}.`)
    this.place = place
    this.value = value
  }
}

/** Throws `InvalidOptionError` unless `value` is a whole number from `least` to `most`. */
export function assertWholeNumber(place: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return
  throw new InvalidOptionError(place, value, `a whole number from ${least} to ${most}`)
}

/** Throws `InvalidOptionError` unless `value` is one of the words. */
export function assertOneOf(place: string, value: unknown, words: readonly string[]): void {
  if ((words as readonly unknown[]).includes(value)) return
  throw new InvalidOptionError(place, value, `one of ${words.join(', ')}`)
}
