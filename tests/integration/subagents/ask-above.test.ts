import { describe, expect, it } from 'vitest'
import { createRunnerMachine } from '../runner-cli/machine.ts'
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

  it('counts agents that are started one by one, and tells the model after a no', async () => {
    const one = { agent: 'a', task: 'look' }
    const { runner, boss: agent, workingFolder, a, asked } = createBoss([one, one, one], 'deny')
    const result = await runner.run({ agent, task: 'go', workingFolder, askAbove: { agents: 2 } })
    expect(result).toMatchObject({ status: 'completed', output: expect.stringContaining('The agents limit of "boss"') })
    expect(asked).toMatchObject([{ asked: 1, reason: 'Start a: look?' }])
    expect(a.book).toHaveLength(2)
  })

  it('asks about what they can cost together, and from then on about each', async () => {
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

  it('on the command line the run stands until someone answers, from wherever that is', async () => {
    const machine = createRunnerMachine()
    machine.write(
      '../.stint/agents/lead.md',
      '---\nname: lead\ndescription: leads\ntools: subagent\nlimits: { spawns: 9 }\naskAbove: { agents: 1 }\n---\nLead.\n',
    )
    machine.script('lead', [
      call('subagent', { tasks: [{ agent: 'plain', task: 'x', count: 2 }] }, 'one'),
      { text: 'all done' },
    ])
    machine.script('word', [{ text: 'a word' }])
    const text = '---\nname: plain\ndescription: does\nmodel: scripted/word.json\ntools: read\n---\nDo.\n'
    machine.write('../.stint/agents/plain.md', text)
    const run = machine.start(['run', 'lead', 'go', '--id', 'r', '--model', 'scripted/lead.json'])
    await run.until(/stint approve/)
    const { document } = await machine.json<{ readonly requests: readonly (Asked & { readonly id: string })[] }>(
      'requests',
    )
    expect(document.requests).toMatchObject([{ reason: expect.stringContaining('Start up to 2 agents: plain ×2?') }])
    expect((await machine.run('approve', document.requests[0]!.id)).exitCode).toBe(0)
    const { exitCode, stdout } = await run.ended
    expect([exitCode, stdout]).toEqual([0, 'all done\n'])
  })
})
