import { describe, expect, it } from 'vitest'
import { createManualClock } from './manual-clock.ts'
import { spawnAgent } from './spawn-agent.ts'

describe('spawnAgent, as published test strategies use it', () => {
  it('fails when max_turns is exceeded', async () => {
    const agent = spawnAgent({ execution_limits: { max_turns: 5 } })
    for (let turn = 0; turn < 5; turn++) await agent.executeTurn()
    expect([agent.status, agent.error]).toEqual(['in_progress', null])
    await agent.executeTurn()
    expect(agent.status).toBe('failed')
    expect(agent.error).toBe('Execution limit exceeded: max_turns')
  })

  it('fails when max_duration_ms is exceeded, also if nobody looks', async () => {
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

  it('warns and goes on with timeout_action: warn', async () => {
    const agent = spawnAgent({ execution_limits: { max_turns: 5, timeout_action: 'warn' } })
    for (let turn = 0; turn < 6; turn++) await agent.executeTurn()
    expect(agent.status).toBe('in_progress')
    expect(agent.warnings).toContain('max_turns')
    while (agent.accumulated_cost < 1.1) await agent.llmCall({ tokens: 50_000 })
    expect(agent.warnings).toEqual(['max_turns', 'max_cost_usd'])
    expect(agent.error).toBe(null)
  })

  it('is paused with timeout_action: pause', async () => {
    const agent = spawnAgent({ execution_limits: { max_turns: 1, timeout_action: 'pause' } })
    expect(agent.status).toBe('pending')
    await agent.executeTurn()
    await agent.executeTurn()
    expect([agent.status, agent.error]).toEqual(['paused', null])
  })

  it('has the published defaults, and refuses what is out of their ranges', async () => {
    const agent = spawnAgent()
    for (let turn = 0; turn < 26; turn++) await agent.executeTurn()
    expect(agent.error).toBe('Execution limit exceeded: max_turns')
    await expect(spawnAgent({ execution_limits: { max_turns: 0 } }).executeTurn()).rejects.toThrow(/max_turns/)
    const shared = spawnAgent({ execution_limits: { team_budget_usd: 5 } })
    await expect(shared.executeTurn()).rejects.toThrow(/governor\.budget/)
  })

  it('ends a loop that waits for a cost which a failed agent never reaches', async () => {
    const agent = spawnAgent({ execution_limits: { max_turns: 1, max_cost_usd: 0.03 } })
    await agent.llmCall({ tokens: 10_000 })
    const forever = async () => {
      while (agent.accumulated_cost < 1) await agent.llmCall({ tokens: 10_000 })
    }
    await expect(forever()).rejects.toMatchObject({ code: 'scope_closed' })
    expect(agent.error).toBe('Execution limit exceeded: max_cost_usd')
  })
})
