import { afterEach, expect, it, vi } from 'vitest'
import { spanOf, timesOf } from './span.ts'

const NOW = Date.parse('2026-11-18T14:20:00Z')
afterEach(() => {
  vi.unstubAllEnvs()
})

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

it.each([
  ['2026-11-18T23:30:00-05:00', 'in winter'],
  ['2026-11-01T00:10:00-04:00', 'on the day that has 25 hours'],
  ['2026-03-08T23:59:00-04:00', 'on the day that has 23 hours'],
])('days begin at midnight where the reader is: %s, %s', (now) => {
  vi.stubEnv('TZ', 'America/New_York')
  const nowMs = Date.parse(now)
  const times = timesOf(spanOf(place('30d'), nowMs), nowMs)
  expect(times).toHaveLength(30)
  expect(times.filter((time) => new Date(time).getHours() !== 0)).toEqual([])
  expect(new Date(times.at(-1) ?? 0).toDateString()).toBe(new Date(nowMs).toDateString())
})

it('an unknown span is the last day', () => {
  expect(spanOf(place('forever'), NOW).name).toBe('24h')
})
