import type { Place } from '../../router/route.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** What the page can look back on. */
export const SPANS = { '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' } as const

export type SpanName = keyof typeof SPANS

export interface Span {
  readonly name: SpanName
  readonly sinceMs: number
  /** What one bar of a chart is. */
  readonly step: 'hour' | 'day'
}

const DAYS = { '7d': 7, '30d': 30 } as const

/** The span of the address. It begins with a whole hour or day, so that its address stays the same for a while. */
export function spanOf({ filters }: Place, nowMs: number): Span {
  const { since } = filters
  if (since !== '7d' && since !== '30d') {
    return { name: '24h', step: 'hour', sinceMs: nowMs - (nowMs % HOUR_MS) - DAY_MS + HOUR_MS }
  }
  return { name: since, step: 'day', sinceMs: midnightMs(nowMs, 1 - DAYS[since]) }
}

/** The start of every hour or day of a span. */
export function timesOf({ sinceMs, step }: Span, nowMs: number): readonly number[] {
  const count = Math.max(1, Math.ceil((nowMs - sinceMs) / (step === 'hour' ? HOUR_MS : DAY_MS)))
  const times = Array.from({ length: count + 1 }, (_, index) =>
    step === 'hour' ? sinceMs + index * HOUR_MS : midnightMs(sinceMs, index),
  )
  return times.filter((time, index) => index === 0 || time <= nowMs)
}

/** The midnight of the reader's own day, `days` later: where the clocks change, a day has 23 or 25 hours. */
function midnightMs(atMs: number, days: number): number {
  const date = new Date(atMs)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}
