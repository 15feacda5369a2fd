import { roundUpAsShown } from '../amounts/display-amount.ts'
import type { Breach } from '../limits/breach.ts'
import { METERS } from '../meter.ts'

const SHARE_OF_LIMIT = 5
// A fifth of a small count is one or two, and the run would ask again almost at once.
const FEWEST = 5

/**
 * What a scope requests at a breach, large enough that one answer suffices: a fifth of the limit, which is typically
 * enough to finish, and at least what the refused call needs on top of the hold for the closing call. Rounded to a
 * figure that is displayed exactly, so that people approve what they read.
 */
export function increaseFor({ meter, limit, settled, reserved, held, asked }: Breach): number {
  const missing = settled + reserved + held + asked - limit
  const least = METERS[meter].unit === 'count' ? FEWEST : 1
  const wanted = Math.max(least, Math.ceil(limit / SHARE_OF_LIMIT), missing)
  return Math.min(Number.MAX_SAFE_INTEGER, roundUpAsShown(meter, wanted))
}
