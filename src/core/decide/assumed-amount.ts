import type { Limit } from '../limits/limit.ts'
import { windowAt } from '../limits/window.ts'
import type { CounterMeter } from '../meter.ts'
import type { ReservationReading } from '../ports/control-store.ts'

/** How much of a scope's settled amount is assumed. With `limit`, only in the limit's window at `atMs`. */
export function assumedAmount(
  assumed: readonly ReservationReading[],
  scopeId: string,
  meter: CounterMeter,
  limit: Pick<Limit, 'per' | 'timeZone'> | null,
  atMs: number,
): number {
  if (assumed.length === 0) return 0
  const sinceMs = limit === null || limit.per === null ? null : windowAt(limit.per, limit.timeZone, atMs).startMs
  let sum = 0
  for (const { scopeIds, charged, atMs: reservedAtMs } of assumed) {
    const isOld = sinceMs !== null && reservedAtMs < sinceMs
    if (!isOld && scopeIds.includes(scopeId)) sum += charged?.[meter] ?? 0
  }
  return sum
}
