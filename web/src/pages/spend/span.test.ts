import { expect, it } from 'vitest'
import { spanOf, timesOf } from './span.ts'

const NOW = Date.parse('2026-11-18T14:20:00Z')
const place = (since: string) => ({ route: { page: 'spend' }, filters: { since } }) as const

it('a day is 24 hours, including the current one', () => {
  const times = timesOf(spanOf(place(''), NOW), NOW)
  expect(times).toHaveLength(24)
  expect(new Date(times[0] ?? 0).toISOString()).toBe('2026-11-17T15:00:00.000Z')
  expect(new Date(times.at(-1) ?? 0).toISOString()).toBe('2026-11-18T14:00:00.000Z')
})

it('a week and a month are days', () => {
  expect(timesOf(spanOf(place('7d'), NOW), NOW)).toHaveLength(7)
  expect(timesOf(spanOf(place('30d'), NOW), NOW)).toHaveLength(30)
})

it('an unknown span is the last day', () => {
  expect(spanOf(place('forever'), NOW).name).toBe('24h')
})
