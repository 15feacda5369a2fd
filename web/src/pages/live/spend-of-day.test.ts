import { expect, it } from 'vitest'
import { spendOfDay } from './spend-of-day.ts'

const HOUR_MS = 3_600_000

it('is what was spent since midnight, and in each of the last twelve hours', () => {
  const now = new Date(2026, 10, 19, 2, 30).getTime()
  const day = spendOfDay(now)
  const hour = (ago: number, costNanoUsd: number) => ({ hourMs: now - (now % HOUR_MS) - ago * HOUR_MS, costNanoUsd })
  const { today, hours } = day.sum([{ hours: [hour(0, 5)] }, { hours: [hour(2, 3), hour(3, 7), hour(11, 1)] }])
  expect(today).toBe(8)
  expect(hours).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 7, 3, 0, 5])
  expect(day.sinceMs).toBe(now - (now % HOUR_MS) - 11 * HOUR_MS)
})
