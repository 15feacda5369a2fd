import { compareLimits, counterIndex, type Limit } from '../../core/index.ts'
import { type CounterSeries, createPeriodSeries, peekRow } from './counter-series.ts'
import { announcedOn, createLimitState, type LimitState, setAnnounced } from './limit-state.ts'
import { countAll, lifeSeries, type ScopeState } from './scope-state.ts'

/** Replaces the limits of a scope. Counters, holds, and what was said of a limit that is the same, stay. */
export function writeLimits(scope: ScopeState, limits: readonly Limit[], atMs: number, sequence: number): void {
  const before = scope.limits
  scope.limits = limits.toSorted(compareLimits).map((limit) => {
    const series = seriesFor(scope, limit, atMs, sequence)
    const known = before.find(({ limit: old }) => old.meter === limit.meter && old.per === limit.per)
    const state = createLimitState(scope.id, limit, series)
    state.held = scope.heldByKey.get(state.key) ?? 0
    if (known !== undefined && known.series === series) keepAnnounced(known, state)
    return state
  })
  scope.revision++
}

/** A limit with a period counts from when the first of its kind was written; one without, from the beginning. */
function seriesFor(scope: ScopeState, limit: Limit, atMs: number, sequence: number): CounterSeries | null {
  const index = counterIndex(limit.meter)
  if (index < 0) return null
  const { per, timeZone } = limit
  if (per === null) {
    countAll(scope, oneOf(index))
    return lifeSeries(scope, index)
  }
  const known = scope.periodSeries.find(
    (each) => each.index === index && each.per === per && each.timeZone === timeZone,
  )
  if (known !== undefined) return known
  const series = createPeriodSeries(index, per, timeZone, atMs, sequence)
  carryOver(scope, series, atMs)
  scope.series.push(series)
  scope.periodSeries.push(series)
  return series
}

/**
 * In another zone the same period has other windows. The first of them begins with all that the old one had settled
 * or in flight, since nothing that was spent may be forgotten by a change of clocks.
 */
function carryOver(scope: ScopeState, series: CounterSeries, atMs: number): void {
  const old = scope.periodSeries.filter(({ index, per }) => index === series.index && per === series.per)
  for (const other of old) {
    const { settled, reserved } = peekRow(other, atMs)
    series.present.settled = Math.max(series.present.settled, settled + reserved)
  }
}

function oneOf(index: number): number[] {
  return Array.from({ length: index + 1 }, (_, place) => (place === index ? 1 : 0))
}

function keepAnnounced(known: LimitState, state: LimitState): void {
  const { limit: old } = known
  const { max, action, nearing } = state.limit
  const isSame = max === old.max && action === old.action && nearing.join() === old.nearing.join()
  const { counter } = state
  if (isSame) setAnnounced(state, counter, announcedOn(counter, known.key))
  else setAnnounced(state, counter, { nearing: 0, exceeded: 0 })
}
