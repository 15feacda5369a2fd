import { isAmount } from '../core/amounts.ts'
import { InvalidCallError } from './invalid-call-error.ts'

/** Throws `InvalidCallError` unless `value` is a whole number from `least` to `most`. */
export function assertCount(field: string, value: unknown, least = 0, most = Number.MAX_SAFE_INTEGER): void {
  if (isAmount(value) && value >= least && value <= most) return
  const end = most === Number.MAX_SAFE_INTEGER ? '2^53 - 1' : most
  throw new InvalidCallError({ field, value, reason: `it must be a whole number from ${least} to ${end}` })
}
