import { counterIndex, isCounterMeter, type Limit, METER_NAMES, METERS, type Meter } from '../../../core/index.ts'
import type { ScopeRuntime } from '../scope-runtime.ts'

/** The state of a limited meter, by the tightest of its limits. */
export interface KnownMeter {
  readonly meter: Meter
  /** The name that the limit was written with. */
  readonly written: string
  readonly limit: number
  readonly settled: number
}

/**
 * The state of a scope's own limits as known to this process: what was last read, what was settled here since, and its
 * own clocks. For displays: does not query the store, so other processes' spending shows with the next reading.
 */
export function knownMeters(runtime: ScopeRuntime): readonly KnownMeter[] {
  const tightest = new Map<Meter, KnownMeter>()
  for (const limit of runtime.limits) {
    const { meter, max, source } = limit
    const known = { meter, written: source.written, limit: max, settled: settledOn(runtime, limit) }
    const other = tightest.get(meter)
    if (other === undefined || max - known.settled < other.limit - other.settled) tightest.set(meter, known)
  }
  const meters: KnownMeter[] = []
  for (const meter of METER_NAMES) if (tightest.has(meter)) meters.push(tightest.get(meter)!)
  return meters
}

function settledOn({ life, clocks, messages, known }: ScopeRuntime, { meter, per }: Limit): number {
  if (METERS[meter].kind === 'clock' && life.isOwned) return clocks.usedMs(meter as 'time' | 'wallTime' | 'idleTime')
  if (meter === 'messages') return messages.length ?? 0
  let settled = 0
  for (const reading of known.readings) {
    if (reading.limit.meter === meter && reading.limit.per === per) settled = reading.settled
  }
  return settled + (isCounterMeter(meter) ? known.since[counterIndex(meter)]! : 0)
}
