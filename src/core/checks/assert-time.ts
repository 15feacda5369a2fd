import { showValue } from '../errors.ts'
import { StintError } from '../stint-error.ts'

// The last millisecond of the year 9999. Later windows can't be computed or formatted.
const LATEST_MS = 253_402_300_799_999

/** Throws unless `atMs` is a time that has windows. A NaN would fall into no window and escape every limit. */
export function assertTime(atMs: number, place: string): void {
  if (Number.isInteger(atMs) && atMs >= 0 && atMs <= LATEST_MS) return
  throw new StintError(
    'invalid_time',
    `${place}: atMs is ${showValue(atMs)}, but must be whole epoch milliseconds from 0 to the year 9999, e.g. 1763251200000.`,
  )
}
