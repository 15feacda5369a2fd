import { isCounterMeter, type Limit, METER_NAMES, METERS, type Meter } from '../../core/index.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/** How a meter with a limit stands, by the tightest of its limits. */
export interface KnownMeter {
  readonly meter: Meter
  /** The name that the limit was written with. */
  readonly written: string
  readonly limit: number
  readonly settled: number
}

/**
 * How the limits of a scope itself stand, as far as this process knows: what was last read, what was settled here since,
 * and its own clocks. For displays; what other processes spend is seen with the next reading. Reads nothing.
 */
export function knownMeters(runtime: ScopeRuntime): readonly KnownMeter[] {
  const tightest = new Map<Meter, KnownMeter>()
  for (const limit of runtime.limits) {
    const { meter, max, source } = limit
    const known = { meter, written: source.written, limit: max, settled: settledOn(runtime, limit) }
    const other = tightest.get(meter)
    if (other === undefined || max - known.settled < other.limit - other.settled) tightest.set(meter, known)
  }
  return METER_NAMES.flatMap((meter) => tightest.get(meter) ?? [])
}

function settledOn({ life, clocks, messages, known }: ScopeRuntime, { meter, per }: Limit): number {
  if (METERS[meter].kind === 'clock' && life.isOwned) return clocks.usedMs(meter as 'time' | 'wallTime' | 'idleTime')
  if (meter === 'messages') return messages.length ?? 0
  const reading = known.readings.find(({ limit }) => limit.meter === meter && limit.per === per)
  return (reading?.settled ?? 0) + (isCounterMeter(meter) ? (known.since[meter] ?? 0) : 0)
}
