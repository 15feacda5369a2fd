import { isAmount } from '../../core/amounts/amounts.ts'
import { type CallProblem, InvalidCallError } from './invalid-call-error.ts'

export interface CountBounds extends Pick<CallProblem, 'place' | 'validForm'> {
  readonly least?: number
  readonly most?: number
}

/** Throws `InvalidCallError` unless `value` is a whole number from `least` (default: 0) to `most`. */
export function assertCount(field: string, value: unknown, bounds: CountBounds = {}): void {
  const { least = 0, most = Number.MAX_SAFE_INTEGER, ...where } = bounds
  if (isAmount(value) && value >= least && value <= most) return
  const end = most === Number.MAX_SAFE_INTEGER ? '2^53 - 1' : most
  throw new InvalidCallError({ ...where, field, value, reason: `it must be a whole number from ${least} to ${end}` })
}
