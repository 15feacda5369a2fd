import type { Answer } from '../../../../src/server/contract.ts'

type Row = Answer<'GET /api/reports/spend'>['rows'][number]

const HOUR_MS = 3_600_000
const HOURS = 12

/** What was spent since midnight, and in each of the last twelve hours. */
export function spendOfDay(nowMs: number) {
  const midnightMs = new Date(nowMs).setHours(0, 0, 0, 0)
  const firstMs = nowMs - (nowMs % HOUR_MS) - (HOURS - 1) * HOUR_MS
  return {
    sinceMs: Math.min(midnightMs, firstMs),
    sum(rows: readonly Pick<Row, 'hours'>[]): { readonly today: number; readonly hours: readonly number[] } {
      let today = 0
      const hours = Array.from({ length: HOURS }, () => 0)
      for (const { hourMs, costNanoUsd } of rows.flatMap(({ hours }) => hours)) {
        if (hourMs >= midnightMs) today += costNanoUsd
        const index = Math.floor((hourMs - firstMs) / HOUR_MS)
        if (index >= 0) hours[index] = (hours[index] ?? 0) + costNanoUsd
      }
      return { today, hours }
    },
  }
}
