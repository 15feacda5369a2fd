import { expect, it } from 'vitest'
import { medianRatio } from './cpu-rounds.ts'

it('compares what was measured in the same round, so that a slow round of the machine cancels out', () => {
  expect(medianRatio([20, 60, 200], [10, 30, 100])).toBe(2)
})

it('takes the median, so that one round that hit only one of them does not count', () => {
  expect(medianRatio([20, 900, 20, 20, 22], [10, 10, 10, 10, 10])).toBe(2)
})
