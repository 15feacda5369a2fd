import { type Announced, balanceKey, counterIndex, type Limit, NOTHING_ANNOUNCED } from '../../../core/index.ts'
import type { CounterRow, CounterSeries, LimitState } from './ledger-state.ts'

// Levels, gauges and clocks are compared, not counted here.
const UNCOUNTED: CounterRow = { startMs: 0, endMs: 0, settled: 0, reserved: 0, announced: null, mark: 0 }

/** A limit on a series, with nothing held on it. The limit is copied, so that it can't change. */
export function createLimitState(scopeId: string, limit: Limit, series: CounterSeries | null): LimitState {
  const state: LimitState = {
    key: balanceKey(scopeId, limit),
    limit: keptLimit(limit),
    index: counterIndex(limit.meter),
    series,
    counter: series?.present ?? UNCOUNTED,
    held: 0,
    resetsAt: null,
    isExceededTold: false,
  }
  pointToPresent(state)
  return state
}

/** A copy of a limit that later changes to the original don't affect. */
export function keptLimit(limit: Limit): Limit {
  return Object.freeze({ ...limit, nearing: Object.freeze([...limit.nearing]) })
}

/** Switches to the current row of the series. Holds belong to the limit, so they count in every window. */
export function pointToPresent(state: LimitState): void {
  const { series } = state
  if (series === null) return
  state.counter = series.present
  state.resetsAt = series.per === null ? null : series.present.endMs
}

/** What was announced about a limit in a window. */
export function announcedOn(row: CounterRow, key: string): Announced {
  return row.announced?.get(key) ?? NOTHING_ANNOUNCED
}

export function setAnnounced(state: LimitState, row: CounterRow, announced: Announced): void {
  // Most limits never announce anything: nothing is kept, and nothing written with each call, for them.
  if (announced === NOTHING_ANNOUNCED) {
    row.announced?.delete(state.key)
    if (row.announced?.size === 0) row.announced = null
  } else {
    row.announced ??= new Map()
    row.announced.set(state.key, announced)
  }
  row.mark = 0
  if (state.series !== null) state.series.scope.changes?.counter(state.series, row)
}
