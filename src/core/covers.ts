import { isEnforced } from './action.ts'
import type { Limit } from './limit.ts'

/** Whether nothing is lost if only `left` holds of two limits: the other would never act, or only after it. */
export function covers(left: Limit, right: Limit): boolean {
  return hasSameWindows(left, right) && left.max <= right.max && isAtLeastAsHard(left, right)
}

/** Whether the one stops wherever the other does: a warning takes the place of no limit that stops. */
export function isAtLeastAsHard(left: Limit, right: Limit): boolean {
  return isEnforced(left.action) || !isEnforced(right.action)
}

/**
 * Whether two limits count over the very same stretches of time. The days of two zones begin at different times, so
 * one of them would let twice as much into a day of the other. Hours are those of UTC everywhere.
 */
export function hasSameWindows(left: Limit, right: Limit): boolean {
  if (left.meter !== right.meter || left.per !== right.per) return false
  return left.per === null || left.per === 'hour' || left.timeZone === right.timeZone
}
