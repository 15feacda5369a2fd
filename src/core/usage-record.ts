import { isEnforced } from './action.ts'
import { assumedAmount } from './assumed-amount.ts'
import type { ReservationReading } from './control-store.ts'
import { type CounterMeter, isCounterMeter, METER_NAMES, METERS, type Meter, type Unit } from './meter.ts'
import type { LimitReading, ScopeReading } from './scope-reading.ts'
import type { Period } from './window.ts'

/**
 * How one meter stands, in whole numbers of its unit: in `scope.usage()` and in all JSON. `limit` and `remaining` are
 * `null` where there is no limit.
 */
export interface MeterUsage {
  readonly unit: Unit
  /** The name that the limit was written with: `turns`, `max_turns` or `toolCalls`; `null` without a limit. */
  readonly written: string | null
  readonly limit: number | null
  readonly settled: number
  readonly reserved: number
  readonly held: number
  readonly remaining: number | null
  readonly overrun: number
  /** When the window of the limit ends (epoch milliseconds); `null` without a period. */
  readonly resetsAt: number | null
  /** The part of `settled` that is only assumed: of calls that were cut, or whose process died. */
  readonly assumed: number
  /** Model calls that a provider refused, which cost nothing, as far as this process knows. Of other meters 0. */
  readonly refused: number
  /** Every limit on the meter, one for each period; the fields beside it are those of the tightest. */
  readonly windows: readonly WindowUsage[]
}

/** How one limit stands. */
export interface WindowUsage {
  readonly written: string
  readonly per: Period | null
  readonly limit: number
  readonly settled: number
  readonly reserved: number
  readonly held: number
  readonly remaining: number
  readonly overrun: number
  readonly assumed: number
  readonly resetsAt: number | null
  /** The scope whose limit it is. */
  readonly scope: string
}

/** The clocks of a scope that runs here. */
export interface RunningClocks {
  usedMs(meter: 'time' | 'wallTime' | 'idleTime'): number
}

/** What the figures are taken from, beside the path itself. */
export interface UsageSources {
  /** `null`: another process has them, or none has. */
  readonly clocks: RunningClocks | null
  /** How long the conversation was that was last compared here; `null` if none was. */
  readonly messages: number | null
  readonly wholePath: boolean
  readonly assumed: readonly ReservationReading[]
  readonly refused: number
  readonly atMs: number
}

/**
 * How every meter stands on the last scope of the path. What remains is never more than an ancestor has left. With
 * `wholePath`, the tightest limit from there to the root speaks: the pool that the scope spends from.
 */
export function usageRecord(
  rootToLeaf: readonly ScopeReading[],
  sources: UsageSources,
): Readonly<Record<Meter, MeterUsage>> {
  const entries = METER_NAMES.map((meter) => [meter, usageOfMeter(rootToLeaf, meter, sources)] as const)
  return Object.fromEntries(entries) as Record<Meter, MeterUsage>
}

function usageOfMeter(rootToLeaf: readonly ScopeReading[], meter: Meter, sources: UsageSources): MeterUsage {
  const leaf = rootToLeaf.at(-1)!
  const { wholePath } = sources
  const { unit } = METERS[meter]
  const refused = meter === 'modelCalls' ? sources.refused : 0
  const onPath = rootToLeaf.flatMap((scope) => windowsOn(scope, meter, sources))
  const own = windowsOn(leaf, meter, sources).map((window) => withReading(window, readingOf(leaf, meter, sources)))
  const windows = wholePath && isCounterMeter(meter) ? onPath : own
  const tightest = windows.reduce<WindowUsage | null>(tighter, null)
  if (tightest === null) return { unit, ...unlimited(leaf, meter, sources), refused, windows }
  const { written, limit, settled, reserved, held, overrun, resetsAt, assumed } = tightest
  const pool = isCounterMeter(meter) ? leftOnPath(rootToLeaf, meter) : Number.POSITIVE_INFINITY
  const remaining = Math.min(tightest.remaining, pool)
  return { unit, written, limit, settled, reserved, held, remaining, overrun, resetsAt, assumed, refused, windows }
}

/** What the whole path can still pay. Limits that only warn hold nobody back. */
function leftOnPath(rootToLeaf: readonly ScopeReading[], meter: Meter): number {
  const enforced = rootToLeaf.flatMap(({ limits }) =>
    limits.filter(({ limit }) => limit.meter === meter && isEnforced(limit.action)),
  )
  return Math.min(...enforced.map(({ remaining }) => remaining))
}

function tighter(left: WindowUsage | null, right: WindowUsage): WindowUsage {
  return left === null || right.remaining < left.remaining ? right : left
}

function windowsOn(scope: ScopeReading, meter: Meter, sources: UsageSources): readonly WindowUsage[] {
  return scope.limits.filter(({ limit }) => limit.meter === meter).map((reading) => windowOf(scope, reading, sources))
}

function windowOf({ id }: ScopeReading, reading: LimitReading, sources: UsageSources): WindowUsage {
  const { limit, settled, reserved, held, remaining, overrun, resetsAt } = reading
  const { meter, per, max, source } = limit
  const known = reading.assumed ?? null
  const assumed = known ?? (isCounterMeter(meter) ? assumedAmount(sources.assumed, id, meter, limit, sources.atMs) : 0)
  const counted = { settled, reserved, held, remaining, overrun, assumed, resetsAt }
  return { written: source.written, per, limit: max, ...counted, scope: id }
}

/** What a clock or a level shows now, which no ledger counts; `null` of all other meters. */
function readingOf(leaf: ScopeReading, meter: Meter, { clocks, messages }: UsageSources): number | null {
  return meter === 'messages' ? messages : clockReading(leaf, meter, clocks)
}

function withReading(window: WindowUsage, settled: number | null): WindowUsage {
  if (settled === null) return window
  const left = window.limit - settled
  return { ...window, settled, remaining: Math.max(0, left), overrun: Math.max(0, -left) }
}

/** Without clocks somebody else counts: what is known is how long it had worked when that was last written. */
export function clockReading(leaf: ScopeReading, meter: Meter, clocks: RunningClocks | null): number | null {
  if (meter !== 'time' && meter !== 'wallTime' && meter !== 'idleTime') return null
  if (clocks !== null) return clocks.usedMs(meter)
  return meter === 'time' ? leaf.activeMs : null
}

function unlimited(
  leaf: ScopeReading,
  meter: Meter,
  sources: UsageSources,
): Omit<MeterUsage, 'unit' | 'windows' | 'refused'> {
  const { assumed: reservations, atMs } = sources
  const total = isCounterMeter(meter) ? leaf.totals[meter as CounterMeter] : { settled: 0, reserved: 0 }
  const settled = meter === 'concurrency' ? leaf.openChildren : (readingOf(leaf, meter, sources) ?? total.settled)
  const known = 'assumed' in total ? total.assumed : undefined
  const assumed = known ?? (isCounterMeter(meter) ? assumedAmount(reservations, leaf.id, meter, null, atMs) : 0)
  const none = { written: null, limit: null, held: 0, remaining: null, overrun: 0, resetsAt: null }
  return { ...none, settled, reserved: total.reserved, assumed }
}
