import { expect, it } from 'vitest'
import { leastIn, twelveBudgets } from './budgets.ts'

it('goes in twelve steps from the least to thirty times that', () => {
  const budgets = twelveBudgets(0.18)
  expect(budgets).toHaveLength(12)
  expect([budgets[0], budgets.at(-1)]).toEqual([0.18, 5.4])
  expect(budgets).toEqual([...budgets].sort((one, other) => one - other))
  expect(new Set(budgets).size).toBe(12)
})

it('finds the least in a refusal, and nothing in any other', () => {
  const refusal = 'The first call of claude and its closing answer need up to $0.18. Allow at least --limit cost=0.18.'
  expect(leastIn(refusal)).toBe(0.18)
  expect(leastIn(`Allow at least --limit cost=0.004. ${refusal} Allow at least --limit cost=0.02.`)).toBe(0.18)
  expect(leastIn('The cost limit is used up. To allow more, pass a larger value: --limit cost=…')).toBeNull()
})
