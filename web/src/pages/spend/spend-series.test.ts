import { expect, it } from 'vitest'
import { spendSeries } from './spend-series.ts'

const row = (key: string, ...hours: readonly (readonly [hourMs: number, costNanoUsd: number])[]) => ({
  key,
  calls: 1,
  totals: {},
  hours: hours.map(([hourMs, costNanoUsd]) => ({ hourMs, costNanoUsd })),
})

it('adds the hours of each group to the matching bar', () => {
  const series = spendSeries([row('a', [5, 1], [14, 2], [19, 3]), row('b', [25, 4])], [10, 20], String)
  expect(series.map(({ name, values }) => [name, values])).toEqual([
    ['a', [5, 0]],
    ['b', [0, 4]],
  ])
})

it('shows six groups and sums up the rest', () => {
  const series = spendSeries(
    Array.from('abcdefgh', (key) => row(key, [10, 1])),
    [10],
    String,
  )
  expect(series.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', '2 others'])
  expect(series.at(-1)?.values).toEqual([2])
})
