import { describe, expect, it } from 'vitest'
import type { HourSum } from '../../core/index.ts'
import { createMemoryStore } from '../../stores/memory/index.ts'
import { spendReport } from './spend-report.ts'

const HOUR_MS = 3_600_000

/** One call of 1 nano-USD in each hour. */
function hourly(fromMs: number, hours: number) {
  const sums = Array.from({ length: hours }, (_, hour): HourSum => {
    const of = { rootId: 'r', payerId: 'r', agentType: null, call: 'model', name: 'opus' } as const
    return { ...of, hourMs: fromMs + hour * HOUR_MS, calls: 1, amounts: { cost: 1 }, costs: { output: 1 } }
  })
  return { store: { ...createMemoryStore(), sums: async () => sums }, nowMs: () => fromMs + hours * HOUR_MS }
}

describe('a report by day', () => {
  it.each([
    ['has 25 hours where clocks go back', '2026-10-25', Date.UTC(2026, 9, 23, 22), 25],
    ['has 23 hours where they go forward', '2026-03-29', Date.UTC(2026, 2, 27, 23), 23],
  ])('%s', async (_, day, fromMs, hours) => {
    const reader = hourly(fromMs, 96)
    const question = { sinceMs: fromMs, untilMs: reader.nowMs(), timeZone: 'Europe/Berlin', by: 'day' } as const
    const { rows, timeline, total } = await spendReport(reader, question)
    expect(rows.find(({ key }) => key === day)?.calls).toBe(hours)
    expect([rows[0]?.calls, total.calls]).toEqual([24, 96])
    const shown = timeline.costs.reduce((sum, { costs }) => sum + costs.reduce((left, right) => left + right, 0), 0)
    expect([shown, timeline.times]).toEqual([96, rows.map(({ key }) => key)])
  })

  it('counts an hour over midnight to the day on which it began', async () => {
    // 18:00 UTC is 23:30 in Kolkata.
    const reader = hourly(Date.UTC(2026, 10, 18, 18), 2)
    const question = { sinceMs: 0, untilMs: reader.nowMs(), timeZone: 'Asia/Kolkata', by: 'day' } as const
    expect((await spendReport(reader, question)).rows.map(({ key, calls }) => [key, calls])).toEqual([
      ['2026-11-18', 1],
      ['2026-11-19', 1],
    ])
  })
})
