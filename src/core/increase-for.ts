import type { Breach } from './breach.ts'
import { roundUpAsShown } from './display-amount.ts'
import { METERS } from './meter.ts'

const SHARE_OF_LIMIT = 5
// A fifth of a small count is one or two, and the run would be back with the same question at once.
const FEWEST = 5

/**
 * What a scope asks for at a breach, so that one answer is enough: what finishing typically takes, a fifth of the limit;
 * and no less than the refused call needs beside what is held for the closing one. In a figure that is shown exactly, so
 * that what a person approves is what they have read.
 */
export function increaseFor({ meter, limit, settled, reserved, held, asked }: Breach): number {
  const missing = settled + reserved + held + asked - limit
  const least = METERS[meter].unit === 'count' ? FEWEST : 1
  const wanted = Math.max(least, Math.ceil(limit / SHARE_OF_LIMIT), missing)
  return Math.min(Number.MAX_SAFE_INTEGER, roundUpAsShown(meter, wanted))
}
