/** How often a limit with a period resets. */
export type Period = 'hour' | 'day' | 'week' | 'month'

export const PERIODS = ['hour', 'day', 'week', 'month'] as const satisfies readonly Period[]

/** One window of a period: from `startMs` (inclusive) to `endMs` (exclusive), in epoch milliseconds. */
export interface Window {
  readonly startMs: number
  readonly endMs: number
}

type CalendarPeriod = Exclude<Period, 'hour'>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
// No time zone is further from UTC, so a local day starts within this distance of the same day's UTC midnight.
const WIDEST_OFFSET_MS = 16 * HOUR_MS

/** Whether this runtime knows the IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * The window of `per` that contains `atMs`. Days start at local midnight, weeks on Monday, months on the first; hours
 * are whole UTC hours. Windows of one period and time zone follow each other without gaps or overlaps, whatever
 * daylight saving does: each starts at the first instant of its first local day.
 */
export function windowAt(per: Period, timeZone: string, atMs: number): Window {
  if (per === 'hour') {
    const startMs = Math.floor(atMs / HOUR_MS) * HOUR_MS
    return { startMs, endMs: startMs + HOUR_MS }
  }
  let firstDay = firstDayOf(per, localDay(timeZone, atMs))
  // If a clock was set back over midnight, the displayed date and the day that has started differ for a while.
  if (atMs < startOfDay(timeZone, firstDay)) firstDay = firstDayOf(per, firstDay - 1)
  else if (atMs >= startOfDay(timeZone, nextFirstDay(per, firstDay))) firstDay = nextFirstDay(per, firstDay)
  return { startMs: startOfDay(timeZone, firstDay), endMs: startOfDay(timeZone, nextFirstDay(per, firstDay)) }
}

/** Days are counted from 1970-01-01 in the proleptic Gregorian calendar, without a time zone. */
function localDay(timeZone: string, atMs: number): number {
  if (timeZone === 'UTC') return Math.floor(atMs / DAY_MS)
  const parts = calendarOf(timeZone).formatToParts(atMs)
  const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(read('year'), read('month') - 1, read('day')) / DAY_MS
}

/** The first instant whose local day is `day` or later; correct even if that day has no midnight. */
function startOfDay(timeZone: string, day: number): number {
  if (timeZone === 'UTC') return day * DAY_MS
  let before = day * DAY_MS - WIDEST_OFFSET_MS
  let reached = day * DAY_MS + WIDEST_OFFSET_MS
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2)
    if (localDay(timeZone, middle) >= day) reached = middle
    else before = middle
  }
  return reached
}

function firstDayOf(per: CalendarPeriod, day: number): number {
  if (per === 'day') return day
  // 1970-01-01 was a Thursday: three days after a Monday.
  if (per === 'week') return day - ((((day + 3) % 7) + 7) % 7)
  const date = new Date(day * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / DAY_MS
}

function nextFirstDay(per: CalendarPeriod, firstDay: number): number {
  if (per === 'day') return firstDay + 1
  if (per === 'week') return firstDay + 7
  const date = new Date(firstDay * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS
}

// Creating a formatter costs a thousand times as much as using one. There are about 600 time zones, so the map stays
// small.
const calendars = new Map<string, Intl.DateTimeFormat>()

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  let calendar = calendars.get(timeZone)
  if (calendar === undefined) {
    calendar = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    })
    calendars.set(timeZone, calendar)
  }
  return calendar
}
