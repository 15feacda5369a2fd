import { describe, expect, it } from 'vitest'
import { resolveLimits } from '../layers/resolve-limits.ts'
import { parseExecutionLimits } from './parse-execution-limits.ts'

describe('parseExecutionLimits', () => {
  it('fills missing fields with the published defaults, marked as defaults', () => {
    const { limits, defaults, team, user } = parseExecutionLimits({ max_turns: 5 })
    expect(limits.entries).toMatchObject([
      { meter: 'toolCalls', max: 5, source: { layer: 'call', written: 'max_turns' } },
    ])
    expect(defaults.entries).toMatchObject([
      { meter: 'time', max: 600_000, source: { layer: 'defaults', written: 'max_duration_ms' } },
      { meter: 'cost', max: 1_000_000_000, source: { layer: 'defaults', written: 'max_cost_usd' } },
    ])
    expect([team, user]).toEqual([null, null])
    const resolved = resolveLimits([limits, defaults])
    expect(resolved.max).toMatchObject({ toolCalls: 5, time: 600_000, cost: 1_000_000_000 })
    expect(resolved.onLimit).toBe('terminate')
  })

  it('reads null as no limit, without falling back to the default', () => {
    const { limits, defaults } = parseExecutionLimits({ max_cost_usd: null })
    expect(resolveLimits([limits, defaults]).max).toMatchObject({ toolCalls: 25, cost: null })
  })

  it('D6: reads planning, execution and total cost as three limits', () => {
    const { limits, defaults } = parseExecutionLimits({
      max_planning_cost_usd: 0.5,
      max_execution_cost_usd: 0.3,
      max_total_cost_usd: 2,
    })
    expect(resolveLimits([limits, defaults]).max).toMatchObject({
      planningCost: 500_000_000,
      executionCost: 300_000_000,
      cost: 2_000_000_000,
    })
  })

  it('reads timeout_action as the action of all its limits', () => {
    const { limits } = parseExecutionLimits({ max_turns: 5, timeout_action: 'request_increase' })
    expect(resolveLimits([limits]).limits).toMatchObject([{ meter: 'toolCalls', action: 'ask' }])
  })

  it('returns shared budgets separately, the user’s per day', () => {
    const { limits, team, user } = parseExecutionLimits({
      team_budget_usd: 100,
      user_budget_usd: 10,
    })
    expect(limits.entries).toEqual([])
    expect(resolveLimits([team!]).limits).toMatchObject([{ meter: 'cost', max: 100e9, per: null }])
    expect(resolveLimits([user!]).limits).toMatchObject([{ meter: 'cost', max: 10e9, per: 'day' }])
  })

  it('does not let an agent’s action soften its shared budgets', () => {
    const { limits, team, user } = parseExecutionLimits({
      team_budget_usd: 10,
      user_budget_usd: 5,
      timeout_action: 'warn',
    })
    expect(limits.onLimit).toMatchObject({ action: 'warn' })
    for (const shared of [team!, user!]) {
      expect(shared).toMatchObject({ onLimit: null, nearing: null, timeZone: null })
      expect(resolveLimits([shared]).limits).toMatchObject([{ action: 'terminate' }])
    }
  })

  it.each([
    [{ max_turns: 0 }, '1 to 100'],
    [{ max_turns: 101 }, '1 to 100'],
    [{ max_turns: 1.5 }, 'whole'],
    [{ max_turns: '25' }, 'is text'],
    [{ max_turns: { max: 25 } }, 'not a maximum'],
    [{ max_duration_ms: 999 }, '1000 to 3600000'],
    [{ max_duration_ms: 3_600_001 }, '1000 to 3600000'],
    [{ max_duration_ms: '10m' }, 'is text'],
    [{ max_cost_usd: 0 }, '0.01 to 100'],
    [{ max_cost_usd: 100.01 }, '0.01 to 100'],
    [{ max_cost_usd: Number.NaN }, 'finite'],
    [{ timeout_action: 'terminat' }, 'Did you mean "terminate"'],
    [{ timeout_action: 'ask' }, 'terminate, pause, warn or request_increase'],
    [{ max_turn: 5 }, 'Did you mean "max_turns"'],
    [{ toolCalls: 5 }, 'Unknown limit'],
    [{ team_budget_usd: null }, 'a shared budget'],
    [{ user_budget_usd: 0 }, 'zero'],
    [{ max_cost_usd: 1, max_total_cost_usd: 2 }, 'aliases'],
    [[], 'not an object'],
    [null, 'not an object'],
  ])('A3: refuses %j and says why', (object, reason) => {
    expect(() => parseExecutionLimits(object)).toThrow(reason)
  })

  it('accepts max_cost_usd and max_total_cost_usd with the same value', () => {
    expect(parseExecutionLimits({ max_cost_usd: 1, max_total_cost_usd: 1 }).limits.entries).toHaveLength(1)
  })
})
