import { describe, expect, it } from 'vitest'
import { footer, spawnReport } from './index.ts'
import { standingFixture as standing, usd } from './standing.fixture.ts'

describe('spawnReport', () => {
  it('says what the child spent and what the pool has left', () => {
    const childUsage = {
      toolCalls: 4,
      modelCalls: 1,
      tokens: 18_200,
      outputTokens: 900,
      cost: usd(0.2071),
      time: 61_200,
    }
    const pool = [standing('toolCalls', 20, 7), standing('cost', usd(1), usd(0.388)), standing('toolCalls', 50, 40)]
    expect(spawnReport({ childUsage, pool })).toBe(
      'Spent by the subagent: 4 tool calls, 1 model call, 18200 tokens, $0.21, 1m2s of active time. ' +
        'Left for you: 10 of 50 tool calls, $0.61 of $1.00.',
    )
  })

  it('includes other meters if the pool limits them', () => {
    const childUsage = { outputTokens: 900 }
    expect(spawnReport({ childUsage, pool: [standing('outputTokens', 1500, 900, { per: 'hour' })] })).toBe(
      'Spent by the subagent: 900 output tokens. Left for you: 600 of 1500 output tokens per hour.',
    )
  })

  it('says so if nothing was spent', () => {
    expect(spawnReport({ childUsage: {}, pool: [] })).toBe('Spent by the subagent: nothing.')
  })
})

describe('footer', () => {
  it('shows what was used of each limit', () => {
    expect(footer([standing('cost', usd(1), usd(0.8031)), standing('toolCalls', 25, 23)])).toBe(
      '— 23 of 25 tool calls, $0.81 of $1.00',
    )
  })

  it('shows the tightest of several limits on one meter', () => {
    expect(footer([standing('toolCalls', 100, 30), standing('toolCalls', 25, 23)])).toBe('— 23 of 25 tool calls')
  })

  it('is empty without limits', () => {
    expect(footer([])).toBe('')
  })
})
