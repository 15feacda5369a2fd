import {
  balanceKey,
  ceilingsAmong,
  compareLimits,
  counterIndex,
  type Limit,
  limitsUnder,
  NOTHING_ANNOUNCED,
  tightestCeilings,
} from '../../core/index.ts'
import { trimHoldsOn } from './hold-on-path.ts'
import { createPeriodSeries, forgetMarks, peekRow } from './state/counter-series.ts'
import type { Ledger } from './state/ledger.ts'
import type { CounterSeries, LimitState, ScopeState } from './state/ledger-state.ts'
import { announcedOn, createLimitState, keptLimit, setAnnounced } from './state/limit-state.ts'
import { countAll, lifeSeries } from './state/scope-state.ts'

/** The limits of a scope and their ceilings. */
export interface WrittenLimits {
  readonly limits: readonly Limit[]
  readonly ceilings: readonly Limit[]
}

/**
 * The limits to write for a scope that already has these ceilings: new ceilings, among the limits or in addition to
 * them, tighten them, and no limit is above one.
 */
export function heldToCeilings(
  { ceilings: present }: Pick<WrittenLimits, 'ceilings'>,
  { limits, ceilings }: WrittenLimits,
): WrittenLimits {
  const tightest = tightestCeilings([...present, ...ceilings, ...ceilingsAmong(limits)])
  return { limits: limitsUnder(limits, tightest), ceilings: tightest }
}

/** Replaces the limits of a scope. Counters stay, and so do holds and announcements if a limit is unchanged. */
export function writeLimits(
  ledger: Ledger,
  scope: ScopeState,
  { limits, ceilings }: WrittenLimits,
  atMs: number,
  sequence: number,
): void {
  const before = scope.limits
  const keys = new Set(limits.map((limit) => balanceKey(scope.id, limit)))
  scope.limits = limits.toSorted(compareLimits).map((limit) => {
    const state = createLimitState(scope.id, limit, seriesFor(scope, limit, atMs, sequence))
    keepAnnounced(state, predecessorOf(before, state, keys))
    return state
  })
  scope.ceilings = ceilings.map(keptLimit)
  for (const state of scope.limits) trimHoldsOn(ledger, scope, state)
  for (const series of scope.series) forgetMarks(series)
  scope.revision++
  scope.changes?.scope(scope)
}

/**
 * The limit that this one continues: the one with its key, or one with its meter and period that isn't written again.
 */
function predecessorOf(before: readonly LimitState[], state: LimitState, keys: ReadonlySet<string>): LimitState | null {
  const same = before.find(({ key }) => key === state.key)
  const { meter, per } = state.limit
  const alike = before.find(({ key, limit }) => limit.meter === meter && limit.per === per && !keys.has(key))
  return same ?? alike ?? null
}

/** A limit with a period counts from when the first of its kind was written; one without, from the start. */
function seriesFor(scope: ScopeState, limit: Limit, atMs: number, sequence: number): CounterSeries | null {
  const index = counterIndex(limit.meter)
  if (index < 0) return null
  const { per } = limit
  if (per === null) {
    countAll(scope, oneOf(index))
    return lifeSeries(scope, index)
  }
  // Hours are the same in every time zone.
  const timeZone = per === 'hour' ? 'UTC' : limit.timeZone
  const alike = scope.periodSeries.filter((each) => each.index === index && each.per === per)
  const known = alike.find((each) => each.timeZone === timeZone)
  if (known !== undefined) return known
  const series = createPeriodSeries(
    scope,
    scope.series.length,
    index,
    { per, timeZone },
    atMs,
    sequence,
    fullestOf(alike, atMs),
  )
  scope.series.push(series)
  scope.periodSeries.push(series)
  scope.changes?.counter(series, series.present)
  return series
}

function fullestOf(alike: readonly CounterSeries[], atMs: number): CounterSeries | null {
  const used = (series: CounterSeries): number => {
    const { settled, reserved } = peekRow(series, atMs)
    return settled + reserved
  }
  return alike.reduce<CounterSeries | null>((fullest, each) => {
    return fullest === null || used(each) > used(fullest) ? each : fullest
  }, null)
}

function oneOf(index: number): number[] {
  return Array.from({ length: index + 1 }, (_, place) => (place === index ? 1 : 0))
}

/** Announcements are kept only if the limit is unchanged. */
function keepAnnounced(state: LimitState, before: LimitState | null): void {
  const isSame = before !== null && before.series === state.series && isSameLimit(before.limit, state.limit)
  const { counter, series } = state
  if (series === null) state.isExceededTold = isSame && before.isExceededTold
  else setAnnounced(state, counter, isSame ? announcedOn(counter, before.key) : NOTHING_ANNOUNCED)
}

function isSameLimit(left: Limit, right: Limit): boolean {
  return left.max === right.max && left.action === right.action && left.nearing.join() === right.nearing.join()
}
