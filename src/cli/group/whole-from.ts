import { InvalidOptionError } from '../../core/index.ts'

/** A whole number from 1 that a flag is given; what it may be at most is checked where it is used. */
export function wholeFrom(flag: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidOptionError(flag, text, 'a whole number from 1, e.g. 4')
}
