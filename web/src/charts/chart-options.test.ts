import { expect, it } from 'vitest'
import { chartData } from './chart-options.ts'

it('stacks the series, starting with the total', () => {
  const series = [
    { key: 'a', name: 'a', color: '--series-1', values: [1, 2] },
    { key: 'b', name: 'b', color: '--series-2', values: [10] },
  ]
  const content = { times: [5000, 6000], series, timeText: String, valueText: String }
  expect(chartData(content)).toEqual([
    [0, 1],
    [11, 2],
    [1, 2],
  ])
})
