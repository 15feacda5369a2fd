import { assumedAmount } from '../decide/assumed-amount.ts'
import { isEnforced } from '../limits/action.ts'
import type { Period } from '../limits/window.ts'
import { isCounterMeter, METER_NAMES, METERS, type Meter } from '../meter.ts'
import type { ReservationReading } from '../ports/control-store.ts'
import type { LimitReading, ScopeReading } from '../ports/scope-reading.ts'

/**
 * The usage of one meter in whole units, as in `scope.usage()` and all JSON. `limit` and `remaining` are `null` without
 * a limit.
 */
export interface MeterUsage {
  readonly unit: (typeof METERS)[Meter]['unit']
  /** The name the limit was written with: `turns`, `max_turns` or `toolCalls`; `null` without a limit. */
  readonly written: string | null
  readonly limit: number | null
  readonly settled: number
  readonly reserved: number
  readonly held: number
  readonly remaining: number | null
  readonly overrun: number
  /** When the limit's window ends (epoch milliseconds); `null` without a period. */
  readonly resetsAt: number | null
  /** The part of `settled` that is assumed: from calls that were cut off or whose process died. */
  readonly assumed: number
  /** Model calls that a provider refused and that cost nothing, as far as this process knows. 0 for other meters. */
  readonly refused: number
  /** Every limit on the meter, one per period. The fields above describe the tightest one. */
  readonly windows: readonly {
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
    /** The scope that has the limit. */
    readonly scope: string
  }[]
}

/** The usage of one limit. */
export type WindowUsage = MeterUsage['windows'][number]

/** The clocks of a scope that runs in this process. */
export interface RunningClocks {
  usedMs(meter: 'time' | 'wallTime' | 'idleTime'): number
}

/** Figures that come from elsewhere than the path itself. */
export interface UsageSources {
  /** `null` if the scope runs in another process or isn't running. */
  readonly clocks: RunningClocks | null
  /** The length of the conversation when it was last checked here; `null` if it never was. */
  readonly messages: number | null
  readonly wholePath: boolean
  readonly assumed: readonly ReservationReading[]
  readonly refused: number
  readonly atMs: number
}

/**
 * The usage of every meter of the last scope on the path. `remaining` is never more than an ancestor has left. With
 * `wholePath`, each meter shows the tightest limit between that scope and the root: the pool it spends from.
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

/** What the whole path can still pay. Limits that only warn don't count. */
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

/** The current value of a clock or level, which the ledger doesn't count; `null` for other meters. */
function readingOf(leaf: ScopeReading, meter: Meter, { clocks, messages }: UsageSources): number | null {
  return meter === 'messages' ? messages : clockReading(leaf, meter, clocks)
}

function withReading(window: WindowUsage, settled: number | null): WindowUsage {
  if (settled === null) return window
  const left = window.limit - settled
  return { ...window, settled, remaining: Math.max(0, left), overrun: Math.max(0, -left) }
}

/** Without clocks the scope runs elsewhere, and the last written working time is all that is known. */
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
  const total = isCounterMeter(meter) ? leaf.totals[meter] : { settled: 0, reserved: 0 }
  const settled = meter === 'concurrency' ? leaf.openChildren : (readingOf(leaf, meter, sources) ?? total.settled)
  const known = 'assumed' in total ? total.assumed : undefined
  const assumed = known ?? (isCounterMeter(meter) ? assumedAmount(reservations, leaf.id, meter, null, atMs) : 0)
  const none = { written: null, limit: null, held: 0, remaining: null, overrun: 0, resetsAt: null }
  return { ...none, settled, reserved: total.reserved, assumed }
}
