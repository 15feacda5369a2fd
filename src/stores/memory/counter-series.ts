import { type Announced, type Period, windowAt } from '../../core/index.ts'

/** What was counted in one window, and what was said of the limits on it. */
export interface CounterRow {
  readonly startMs: number
  readonly endMs: number
  settled: number
  reserved: number
  /** By the key of the limit; made when the first thing is announced. */
  announced: Map<string, Announced> | null
  /** From this settled amount on, some limit on it may have something to announce. 0: look, and find out. */
  mark: number
}

/**
 * All windows of one counter of one scope: one endless window, or those of a period in a zone. Limits come and go and
 * only point here, so that no change of a limit can forget what was spent.
 */
export interface CounterSeries {
  readonly index: number
  readonly per: Period | null
  readonly timeZone: string
  /** Reservations before this number were not counted here, but for those that were taken over. */
  readonly since: number
  /** The row of the same period in another zone that its first row began with. */
  readonly takenOver: { readonly series: CounterSeries; readonly row: CounterRow; readonly into: CounterRow } | null
  /** The row that was looked at last. */
  present: CounterRow
  /** The other rows by their start; `null` where there is only one. */
  readonly others: Map<number, CounterRow> | null
  /** The start of the latest row that something was counted in. */
  latestStartMs: number
}

// More than a year of days. A window with calls in flight is kept however old it is.
const ROWS_KEPT = 400

/** The counter of a meter over the whole life of a scope. */
export function createLifeSeries(index: number): CounterSeries {
  const present = emptyRow(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
  return {
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
 * The counter of a meter per hour, day, week or month, from now on. Where the same period was counted in another zone
 * (`before`), the first row begins with what that one has settled and in flight: nothing that was spent may be
 * forgotten by a change of clocks.
 */
export function createPeriodSeries(
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
  return { index, per, timeZone, since, takenOver, present, others: new Map(), latestStartMs: startMs }
}

/** The row that a reservation counts in, which is that of its own time, however long ago; `null` if it counts in none. */
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

/** The row at a time as it stands, an empty one if nothing was counted there. Changes nothing. */
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
  if (others.size >= ROWS_KEPT) dropOldestIdle(others)
  others.set(row.startMs, row)
  series.latestStartMs = Math.max(series.latestStartMs, row.startMs)
  return row
}

/** Makes the row at a time the present one; `true` if it was another. */
export function turnTo(series: CounterSeries, atMs: number): boolean {
  const row = rowAt(series, atMs)
  const { present, others } = series
  if (row === present || others === null) return false
  others.delete(row.startMs)
  others.set(present.startMs, present)
  series.present = row
  return true
}

/** Limits on the series are different now: every row is looked at again. */
export function forgetMarks(series: CounterSeries): void {
  series.present.mark = 0
  for (const row of series.others?.values() ?? []) row.mark = 0
}

function emptyRow(startMs: number, endMs: number): CounterRow {
  return { startMs, endMs, settled: 0, reserved: 0, announced: null, mark: 0 }
}

function dropOldestIdle(rows: Map<number, CounterRow>): void {
  let oldest: CounterRow | null = null
  for (const row of rows.values()) {
    if (row.reserved > 0) continue
    if (oldest === null || row.startMs < oldest.startMs) oldest = row
  }
  if (oldest !== null) rows.delete(oldest.startMs)
}
