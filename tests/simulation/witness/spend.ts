import { demand } from '../world/violation.ts'
import { COUNTERS, type Vector, windowStart } from './meters.ts'
import type { WitnessReservation } from './records.ts'
import { count, tallyOf } from './tallies.ts'

/**
 * Something was really used under a reservation. Promise 1: what is really spent never passes a limit on the path that
 * is enforced, but by what an answer had beyond the provider's own cap.
 */
export function spend(record: WitnessReservation, used: Vector, excess: Vector): void {
  const { scope, atMs, id } = record
  count(scope.path, 'real', used, atMs)
  count(scope.path, 'excess', excess, atMs)
  for (const each of scope.path) {
    for (const limit of each.limits) {
      const index = COUNTERS.indexOf(limit.meter as never)
      if (index < 0 || limit.action === 'warn') continue
      const tally = tallyOf(each, limit, atMs)
      const spent = tally.real[index]! - tally.excess[index]!
      const start = limit.per === null ? 0 : windowStart(limit.per, atMs)
      const allowed = Math.max(limit.max, limit.floors.get(start) ?? 0)
      demand(spent <= allowed, 'real spend ≤ limit', () => {
        return `with ${id}, ${each.id} has really spent ${spent} ${limit.meter} of ${allowed}`
      })
    }
  }
}
