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

const LENGTHS: Readonly<Record<SpanName, number>> = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS }

/** The span of the address. It begins with a whole hour or day, so that its address stays the same for a while. */
export function spanOf({ filters }: Place, nowMs: number): Span {
  const name = filters.since === '7d' || filters.since === '30d' ? filters.since : '24h'
  const step = name === '24h' ? 'hour' : 'day'
  const stepMs = step === 'hour' ? HOUR_MS : DAY_MS
  return { name, step, sinceMs: nowMs - (nowMs % stepMs) - LENGTHS[name] + stepMs }
}

/** The start of every hour or day of a span. */
export function timesOf({ sinceMs, step }: Span, nowMs: number): readonly number[] {
  const stepMs = step === 'hour' ? HOUR_MS : DAY_MS
  return Array.from(
    { length: Math.max(1, Math.ceil((nowMs - sinceMs) / stepMs)) },
    (_, index) => sinceMs + index * stepMs,
  )
}
