import { describe, expect, it } from 'vitest'
import { call, createTeam, modelThat, turns } from './subagents.fixture.ts'

const echo = () => modelThat((asked) => ({ text: `<${asked}>` }))
const batch = (count: number) => ({ tasks: [{ agent: 'a', task: 'look', count }] })

interface Asked {
  readonly request: string
  readonly reason: string
  readonly asked: number
}

/** A boss that starts these batches, one after the other. */
function createBoss(orders: readonly object[], answer: 'approve' | 'deny', costOfBoss: number | null = null) {
  const boss = turns(...orders.map((order, index) => () => call('subagent', order, `t${index}`)), (told) => ({
    text: told,
  }))
  const a = echo()
  const team = createTeam({ boss, a }, { limits: { boss: { limits: { cost: costOfBoss, spawns: 100 } } } })
  const asked: Asked[] = []
  team.governor.on((event) => {
    if (event.event !== 'increase_requested') return
    asked.push(event)
    void team.governor[answer](event.request, { by: 'ann' })
  })
  return { ...team, a, asked }
}

describe('askAbove in a run that starts agents', () => {
  it('counts over the whole run: 8 + 8 + 8 asks twice, and each time with the plan', async () => {
    const { runner, boss: agent, workingFolder, a, asked } = createBoss([batch(8), batch(8), batch(8)], 'approve')
    const result = await runner.run({ agent, task: 'go', workingFolder, askAbove: { agents: 8 } })
    expect(result.status).toBe('completed')
    expect(asked.map((each) => each.asked)).toEqual([8, 8])
    expect(asked[0]?.reason).toMatch(/^Start up to 8 agents: a ×8\? At most cost /)
    expect(a.book).toHaveLength(24)
    expect(result.usage.spawns).toMatchObject({ settled: 24, limit: 24 })
  })

  it('counts agents that are started one by one, and tells the model about a denial', async () => {
    const one = { agent: 'a', task: 'look' }
    const { runner, boss: agent, workingFolder, a, asked } = createBoss([one, one, one], 'deny')
    const result = await runner.run({ agent, task: 'go', workingFolder, askAbove: { agents: 2 } })
    expect(result).toMatchObject({ status: 'completed', output: expect.stringContaining('The agents limit of "boss"') })
    expect(asked).toMatchObject([{ asked: 1, reason: 'Start a: look?' }])
    expect(a.book).toHaveLength(2)
  })

  it('asks about their total cost, and from then on about each', async () => {
    const one = { agent: 'a', task: 'look' }
    const { runner, boss: agent, workingFolder, asked } = createBoss([one, one, one, one], 'approve')
    const result = await runner.run({ agent, task: 'go', workingFolder, askAbove: { cost: 2 } })
    expect(result.status).toBe('completed')
    // Each can cost $1.00.
    expect(asked.map((each) => each.reason)).toEqual([
      expect.stringMatching(
        /^Start a: look\? What it has started and this can cost more than \$2\.00 together \(askAbove\.cost/,
      ),
      expect.stringMatching(/^Start a: look\?/),
    ])
    expect(result.usage.spawns.settled).toBe(4)
  })
})
