import { InvalidOptionError } from '../../core/index.ts'

/** The value of a flag as a whole number from 1. The maximum is checked where it is used. */
export function wholeFrom(flag: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidOptionError(flag, text, 'a whole number from 1, e.g. 4')
}
