import { isEnforced } from '../limits/action.ts'
import type { Limit } from '../limits/limit.ts'

/** Whether `left` makes `right` redundant: `right` would never act, or only after `left`. */
export function covers(left: Limit, right: Limit): boolean {
  return hasSameWindows(left, right) && left.max <= right.max && isAtLeastAsHard(left, right)
}

/** Whether `left` stops wherever `right` does. A limit that only warns can't replace one that stops. */
export function isAtLeastAsHard(left: Limit, right: Limit): boolean {
  return isEnforced(left.action) || !isEnforced(right.action)
}

/**
 * Whether two limits have identical windows. Days in two time zones start at different times, so one of them would
 * admit twice as much in a day of the other. Hours are UTC hours everywhere.
 */
export function hasSameWindows(left: Limit, right: Limit): boolean {
  if (left.meter !== right.meter || left.per !== right.per) return false
  return left.per === null || left.per === 'hour' || left.timeZone === right.timeZone
}
