import { describe, expect, it } from 'vitest'
import { amountsFromUsage } from './amounts-from-usage.ts'
import { completeUsage } from './usage.ts'

describe('what a call counts', () => {
  it('A9: output on outputTokens, everything on tokens, cache reads only on tokens', () => {
    const usage = completeUsage({ inputTokens: 2_000, outputTokens: 100 })
    expect(amountsFromUsage(usage, { costNanoUsd: null })).toEqual({
      tokens: 2_100,
      outputTokens: 100,
      uncachedTokens: 2_100,
    })
    const cached = completeUsage({ inputTokens: 500, cacheReadTokens: 1_500, outputTokens: 100 })
    expect(amountsFromUsage(cached, { costNanoUsd: null })).toEqual({
      tokens: 2_100,
      outputTokens: 100,
      uncachedTokens: 600,
    })
  })

  it('A13: cache writes of both lifetimes are uncached tokens', () => {
    const usage = completeUsage({
      inputTokens: 1,
      cacheWriteTokens: 20,
      cacheWrite1hTokens: 300,
      cacheReadTokens: 4_000,
    })
    expect(amountsFromUsage(usage, { costNanoUsd: 7 })).toEqual({
      tokens: 4_321,
      outputTokens: 0,
      uncachedTokens: 321,
      cost: 7,
      executionCost: 7,
    })
  })

  it('D6: the cost counts on the total and on the phase of the call', () => {
    const usage = completeUsage({ outputTokens: 1 })
    expect(amountsFromUsage(usage, { costNanoUsd: 9, phase: 'planning' })).toMatchObject({ cost: 9, planningCost: 9 })
    expect(amountsFromUsage(usage, { costNanoUsd: 9, phase: 'execution' })).toMatchObject({ cost: 9, executionCost: 9 })
    expect(amountsFromUsage(usage, { costNanoUsd: 9, phase: 'execution' })).not.toHaveProperty('planningCost')
  })

  it('D6: a call that names no phase is an execution call', () => {
    const amounts = amountsFromUsage(completeUsage({ outputTokens: 1 }), { costNanoUsd: 9 })
    expect(amounts).toMatchObject({ cost: 9, executionCost: 9 })
    expect(amounts).not.toHaveProperty('planningCost')
  })

  it('D6: refuses an unknown phase, which would count on none', () => {
    const charge = { costNanoUsd: 9, phase: 'Planning' as never }
    expect(() => amountsFromUsage(completeUsage({}), charge)).toThrow('Did you mean "planning"?')
  })

  it('saturates at the largest amount, with and without cache reads', () => {
    const most = Number.MAX_SAFE_INTEGER
    const usage = completeUsage({ inputTokens: most, cacheReadTokens: most, outputTokens: 5 })
    expect(amountsFromUsage(usage, { costNanoUsd: null })).toMatchObject({ tokens: most, uncachedTokens: most })
  })
})
