import type { Answer } from '../../../../src/server/contract.ts'
import type { ChartSeries } from '../../charts/chart-options.ts'

type Row = Answer<'GET /api/reports/spend'>['rows'][number]

// As many as have a colour; the last one is for all others.
const SHOWN = 6
const OTHERS_COLOR = '--series-7'

/** The cost of each group over time, those that cost most by themselves and the rest together. */
export function spendSeries(
  rows: readonly Row[],
  times: readonly number[],
  nameOf: (key: string) => string,
): readonly ChartSeries[] {
  const shown = rows.slice(0, SHOWN)
  const others = rows.slice(SHOWN)
  const series = shown.map(({ key, hours }, index) => ({
    key,
    name: nameOf(key),
    color: `--series-${index + 1}`,
    values: valuesOf(hours, times),
  }))
  if (others.length === 0) return series
  const rest = others.flatMap(({ hours }) => hours)
  return [...series, { key: '', name: `${others.length} others`, color: OTHERS_COLOR, values: valuesOf(rest, times) }]
}

function valuesOf(hours: Row['hours'], times: readonly number[]): readonly number[] {
  const values = times.map(() => 0)
  for (const { hourMs, costNanoUsd } of hours) {
    const index = times.findLastIndex((time) => time <= hourMs)
    if (index >= 0) values[index] = (values[index] ?? 0) + costNanoUsd
  }
  return values
}
