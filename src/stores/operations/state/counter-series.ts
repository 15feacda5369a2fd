import { type Period, windowAt } from '../../../core/index.ts'
import type { CounterRow, CounterSeries, ScopeState } from './ledger-state.ts'

// More than a year of days. A window with calls in flight is kept however old it is.
const ROWS_KEPT = 400

/** The counter of a meter over the whole life of a scope. */
export function createLifeSeries(scope: ScopeState, ordinal: number, index: number): CounterSeries {
  const present = emptyRow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  return {
    scope,
    ordinal,
    index,
    per: null,
    timeZone: 'UTC',
    since: 0,
    takenOver: null,
    present,
    others: null,
    latestStartMs: present.startMs,
  }
}

/**
 * The counter of a meter per hour, day, week or month, starting now. If the same period was counted in another time
 * zone (`before`), the first row starts with what that counter has settled and in flight: changing the time zone must
 * not forget spending.
 */
export function createPeriodSeries(
  scope: ScopeState,
  ordinal: number,
  index: number,
  period: { readonly per: Period; readonly timeZone: string },
  atMs: number,
  since: number,
  before: CounterSeries | null,
): CounterSeries {
  const { per, timeZone } = period
  const { startMs, endMs } = windowAt(per, timeZone, atMs)
  const present = emptyRow(startMs, endMs)
  const old = before === null ? null : rowAt(before, atMs)
  const takenOver = before === null || old === null ? null : { series: before, row: old, into: present }
  if (old !== null) Object.assign(present, { settled: old.settled, reserved: old.reserved })
  const others = new Map<number, CounterRow>()
  return { scope, ordinal, index, per, timeZone, since, takenOver, present, others, latestStartMs: startMs }
}

/** The row that a reservation counts in, which is that of its own time, however long ago; `null` if there is none. */
export function rowOfReservation(
  series: CounterSeries,
  reservation: { readonly sequence: number; readonly atMs: number },
): CounterRow | null {
  if (series.others === null) return series.present
  if (series.since <= reservation.sequence) return rowAt(series, reservation.atMs)
  const { takenOver } = series
  if (takenOver === null || rowOfReservation(takenOver.series, reservation) !== takenOver.row) return null
  return takenOver.into
}

/** The row at a time; an empty one if nothing was counted there. Changes nothing. */
export function peekRow(series: CounterSeries, atMs: number): CounterRow {
  const { present, per, timeZone, others } = series
  if (per === null || others === null || (atMs >= present.startMs && atMs < present.endMs)) return present
  const { startMs, endMs } = windowAt(per, timeZone, atMs)
  return others.get(startMs) ?? emptyRow(startMs, endMs)
}

/** The row to count in at a time. */
function rowAt(series: CounterSeries, atMs: number): CounterRow {
  const row = peekRow(series, atMs)
  const { present, others } = series
  if (row === present || others === null || others.has(row.startMs)) return row
  if (others.size >= ROWS_KEPT) dropOldestIdle(series, others)
  others.set(row.startMs, row)
  series.latestStartMs = Math.max(series.latestStartMs, row.startMs)
  series.scope.changes?.counter(series, row)
  return row
}

/** Makes the row at a time the current one; `true` if another one was. */
export function turnTo(series: CounterSeries, atMs: number): boolean {
  const row = rowAt(series, atMs)
  const { present, others } = series
  if (row === present || others === null) return false
  others.delete(row.startMs)
  others.set(present.startMs, present)
  series.present = row
  return true
}

/** The limits on the series have changed: every row is checked again. */
export function forgetMarks(series: CounterSeries): void {
  series.present.mark = 0
  for (const row of series.others?.values() ?? []) row.mark = 0
}

export function emptyRow(startMs: number, endMs: number): CounterRow {
  return { startMs, endMs, settled: 0, reserved: 0, announced: null, mark: 0 }
}

function dropOldestIdle(series: CounterSeries, rows: Map<number, CounterRow>): void {
  let oldest: CounterRow | null = null
  for (const row of rows.values()) {
    if (row.reserved > 0) continue
    if (oldest === null || row.startMs < oldest.startMs) oldest = row
  }
  if (oldest === null) return
  rows.delete(oldest.startMs)
  series.scope.changes?.dropCounter(series, oldest)
}
