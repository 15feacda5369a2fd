import { type CounterMeter, isEnforced, type LeftOnPath, type Meter } from '../../core/index.ts'
import { pathLimits } from '../scope/path/path-limits.ts'
import { isClockLimit, type ScopeRuntime } from '../scope/scope-runtime.ts'

/** What is left of every limited meter: counters from the store, and clocks, which only this process can read. */
export function leftOnMeters(runtime: ScopeRuntime, counters: LeftOnPath): ReadonlyMap<Meter, number> {
  const left = new Map<Meter, number>()
  for (const meter in counters) left.set(meter as CounterMeter, counters[meter as CounterMeter]!)
  if (!pathLimits(runtime).hasClock) return left
  for (const { limits, clocks, life } of runtime.rootToSelf) {
    if (!life.isOwned) continue
    for (const limit of limits) {
      if (!isClockLimit(limit) || !isEnforced(limit.action)) continue
      const meter = limit.meter as 'time' | 'wallTime' | 'idleTime'
      const leftMs = Math.max(0, limit.max - clocks.usedMs(meter))
      left.set(meter, Math.min(leftMs, left.get(meter) ?? leftMs))
    }
  }
  return left
}
