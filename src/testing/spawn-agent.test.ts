import { describe, expect, it } from 'vitest'
import { createManualClock, type ManualClock } from './manual-clock.ts'
import { type SimulatedAgent, spawnAgent } from './spawn-agent.ts'

/** Goes past its limit, whichever that is. */
async function exceedAll(agent: SimulatedAgent, clock: ManualClock): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await agent.executeTurn()
  for (let call = 0; call < 10; call++) await agent.llmCall({ tokens: 10_000 })
  await clock.advance(1_100)
}

describe('spawnAgent, as in published test strategies', () => {
  it('fails when max_turns is exceeded', async () => {
    const agent = spawnAgent({ execution_limits: { max_turns: 5 } })
    for (let turn = 0; turn < 5; turn++) await agent.executeTurn()
    expect([agent.status, agent.error]).toEqual(['in_progress', null])
    await agent.executeTurn()
    expect(agent.status).toBe('failed')
    expect(agent.error).toBe('Execution limit exceeded: max_turns')
  })

  it('fails when max_duration_ms is exceeded, even if nothing checks', async () => {
    const clock = createManualClock()
    const agent = spawnAgent({ execution_limits: { max_duration_ms: 1_000 }, clock })
    await clock.advance(1_100)
    expect(agent.status).toBe('failed')
    await agent.executeTurn()
    expect(agent.error).toContain('max_duration_ms')
  })

  it('fails when max_cost_usd is exceeded', async () => {
    const agent = spawnAgent({ execution_limits: { max_cost_usd: 0.1 } })
    while (agent.accumulated_cost < 0.11) await agent.llmCall({ tokens: 10_000 })
    expect(agent.status).toBe('failed')
    expect(agent.error).toContain('max_cost_usd')
  })

  it('warns and continues with timeout_action: warn', async () => {
    const agent = spawnAgent({ execution_limits: { max_turns: 5, timeout_action: 'warn' } })
    for (let turn = 0; turn < 6; turn++) await agent.executeTurn()
    expect(agent.status).toBe('in_progress')
    expect(agent.warnings).toContain('max_turns')
    while (agent.accumulated_cost < 1.1) await agent.llmCall({ tokens: 50_000 })
    expect(agent.warnings).toEqual(['max_turns', 'max_cost_usd'])
    expect(agent.error).toBe(null)
  })

  it('warns of the time too, even if nothing checks', async () => {
    const clock = createManualClock()
    const agent = spawnAgent({ execution_limits: { max_duration_ms: 1_000, timeout_action: 'warn' }, clock })
    await clock.advance(1_100)
    expect([agent.status, agent.warnings, agent.error]).toEqual(['in_progress', ['max_duration_ms'], null])
    await agent.executeTurn()
    expect(agent.status).toBe('in_progress')
  })

  it('warns of a limit once, and not before it is exceeded', async () => {
    const agent = spawnAgent({ execution_limits: { max_turns: 5, timeout_action: 'warn' } })
    for (let turn = 0; turn < 5; turn++) await agent.executeTurn()
    expect(agent.warnings).toEqual([])
    for (let turn = 0; turn < 10; turn++) await agent.executeTurn()
    expect(agent.warnings).toEqual(['max_turns'])
  })

  it.each([
    ['max_turns', { max_turns: 1 }],
    ['max_duration_ms', { max_duration_ms: 1_000 }],
    ['max_cost_usd', { max_cost_usd: 0.1 }],
  ])('is paused with timeout_action: pause when %s is exceeded, and does nothing more', async (_, limits) => {
    const clock = createManualClock()
    const agent = spawnAgent({ execution_limits: { ...limits, timeout_action: 'pause' }, clock })
    expect(agent.status).toBe('pending')
    await exceedAll(agent, clock)
    expect([agent.status, agent.error, agent.warnings]).toEqual(['paused', null, []])
    const spent = agent.accumulated_cost
    await agent.llmCall({ tokens: 10_000 })
    expect(agent.accumulated_cost).toBe(spent)
  })

  it.each([
    ['max_turns', { max_turns: 1 }, 1],
    ['max_duration_ms', { max_duration_ms: 1_000 }, 200],
    ['max_cost_usd', { max_cost_usd: 0.1 }, 100_000_000],
  ])(
    'waits with timeout_action: request_increase when %s is exceeded, for an increase or the end',
    async (name, limits, more) => {
      const clock = createManualClock()
      const agent = spawnAgent({ execution_limits: { ...limits, timeout_action: 'request_increase' }, clock })
      await exceedAll(agent, clock)
      expect([agent.status, agent.error]).toEqual(['paused', null])
      await agent.approve(more)
      expect([agent.status, agent.error]).toEqual(['in_progress', null])
      await exceedAll(agent, clock)
      expect(agent.status).toBe('paused')
      await agent.deny()
      expect([agent.status, agent.error]).toEqual(['failed', `Execution limit exceeded: ${name}`])
      await expect(agent.approve()).rejects.toMatchObject({ code: 'unknown_request' })
    },
  )

  it('fails if a request is not answered within an hour', async () => {
    const clock = createManualClock()
    const agent = spawnAgent({ execution_limits: { max_turns: 1, timeout_action: 'request_increase' }, clock })
    for (let turn = 0; turn < 2; turn++) await agent.executeTurn()
    await clock.advance(3_600_000)
    expect([agent.status, agent.error]).toEqual(['failed', 'Execution limit exceeded: max_turns'])
  })

  it('ends a loop that waits for a cost that a paused agent never reaches', async () => {
    const agent = spawnAgent({ execution_limits: { max_cost_usd: 0.03, timeout_action: 'pause' } })
    const forever = async () => {
      while (agent.accumulated_cost < 1) await agent.llmCall({ tokens: 10_000 })
    }
    await expect(forever()).rejects.toMatchObject({ code: 'scope_paused' })
  })

  it('refuses a model without a price', async () => {
    const agent = spawnAgent({ model: 'nobody-knows-this' })
    await expect(agent.llmCall({ tokens: 10 })).rejects.toMatchObject({ code: 'unpriced_model' })
  })

  it('has the published defaults, and refuses values out of their ranges', async () => {
    const agent = spawnAgent()
    for (let turn = 0; turn < 26; turn++) await agent.executeTurn()
    expect(agent.error).toBe('Execution limit exceeded: max_turns')
    await expect(spawnAgent({ execution_limits: { max_turns: 0 } }).executeTurn()).rejects.toThrow(/max_turns/)
    const shared = spawnAgent({ execution_limits: { team_budget_usd: 5 } })
    await expect(shared.executeTurn()).rejects.toThrow(/given with the name of the team/)
  })

  it('ends a loop that waits for a cost that a failed agent never reaches', async () => {
    const agent = spawnAgent({ execution_limits: { max_turns: 1, max_cost_usd: 0.03 } })
    await agent.llmCall({ tokens: 10_000 })
    const forever = async () => {
      while (agent.accumulated_cost < 1) await agent.llmCall({ tokens: 10_000 })
    }
    await expect(forever()).rejects.toMatchObject({ code: 'scope_closed' })
    expect(agent.error).toBe('Execution limit exceeded: max_cost_usd')
  })
})
