import type { ReservationReading } from './control-store.ts'
import type { Limit } from './limit.ts'
import type { CounterMeter } from './meter.ts'
import { windowAt } from './window.ts'

/** How much of what a scope has settled is only assumed. `limit`: in the window that it is in at `atMs`. */
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
