import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GroupResult } from '../../../src/runner/index.ts'
import { createRunnerMachine } from '../runner-cli/machine.ts'
import { agentFrom, createGroupStage, foundAgents, modelThat } from './modes.fixture.ts'

const word = () => modelThat(() => ({ text: 'word' }))
const tasks = (count: number) => [{ agent: 'a', task: 'say a word', count }]

/** A runner whose questions are answered by `answer`. */
function createAsked(
  answer: 'approve' | 'deny' | { readonly amount: number },
  limits: Readonly<Record<string, unknown>> = {},
) {
  const a = word()
  const stage = createGroupStage({ a }, {}, { limits })
  const asked: { readonly reason: string; readonly asked: number; readonly scope_path: string }[] = []
  stage.governor.on((event) => {
    if (event.event !== 'increase_requested') return
    asked.push(event)
    expect(a.book).toHaveLength(begun)
    if (answer === 'deny') void stage.governor.deny(event.request, { by: 'ann' })
    else void stage.governor.approve(event.request, { by: 'ann', ...(answer === 'approve' ? {} : answer) })
  })
  let begun = 0
  const expectBegun = (count: number): void => {
    begun = count
  }
  return { ...stage, a, asked, expectBegun }
}

describe('askAbove', () => {
  it('asks once, before anything starts, with the plan as the question; the approved plan then runs', async () => {
    const { runner, workingFolder, asked, a } = createAsked('approve')
    const result = await runner.parallel({ workingFolder, tasks: tasks(10), askAbove: { agents: 8 } })
    expect(asked).toMatchObject([{ asked: 2, scope_path: 'parallel' }])
    expect(asked[0]?.reason).toMatch(/^Start up to 10 agents: a ×10\? At most cost \$10\.00, /)
    expect(asked[0]?.reason).toMatch(/agents: the worst case is 10, and it asks above 8 \(askAbove\.agents in the call/)
    expect(result).toMatchObject({ status: 'completed', counts: '10 completed', request: null })
    expect(a.book).toHaveLength(10)
  })

  it('does not ask up to its threshold', async () => {
    const { runner, workingFolder, asked } = createAsked('deny')
    const result = await runner.parallel({ workingFolder, tasks: tasks(8), askAbove: { agents: 8, cost: 8 } })
    expect([result.status, asked.length]).toEqual(['completed', 0])
  })

  it('counts the whole group: 8 + 8 + 8 asks before the first', async () => {
    const { runner, workingFolder, asked } = createAsked('approve')
    const step = { parallel: [{ agent: 'a', task: 'go', count: 8 }] }
    const chain = { name: 'three', steps: [step, step, step], askAbove: { agents: 8 } }
    const result = await runner.chain({ workingFolder, chain, task: 'go' })
    expect(asked).toMatchObject([{ asked: 16 }])
    expect(asked[0]?.reason).toContain('Start up to 24 agents: 1. a ×8; 2. a ×8; 3. a ×8?')
    expect(result.counts).toBe('24 completed')
  })

  it('counts over the whole run: of three groups of 8 below one scope that asks above 8, the second and third ask', async () => {
    const { runner, workingFolder, governor, asked, expectBegun } = createAsked('approve')
    const run = await governor.open({ name: 'run', limits: { agents: { max: 8, action: 'ask' } } })
    for (const begun of [0, 8, 16]) {
      expectBegun(begun)
      const result = await runner.parallel({ workingFolder, tasks: tasks(8), within: run })
      expect(result.status).toBe('completed')
    }
    expect(asked).toMatchObject([
      { asked: 8, scope_path: 'run' },
      { asked: 8, scope_path: 'run' },
    ])
    expect((await run.usage()).spawns).toMatchObject({ settled: 24, limit: 24 })
  })

  it('asks about the maximum cost, which the limits of the run cap', async () => {
    const { runner, workingFolder, asked } = createAsked('approve')
    const costly = await runner.parallel({ workingFolder, tasks: tasks(3), askAbove: { cost: 2 } })
    expect(asked[0]?.reason).toContain('cost: the worst case is $3.00, and it asks above $2.00')
    expect(costly.counts).toBe('3 completed')
    const limits = [{ layer: 'call', limits: { cost: 2 } }] as const
    const bounded = await runner.plan({ workingFolder, tasks: tasks(3), askAbove: { cost: 2 }, layers: limits })
    expect(bounded).toMatchObject({ fits: false, asks: [] })
    const unbounded = await createAsked('deny', { limits: { cost: null } })
    const refused = await unbounded.runner.parallel({
      workingFolder: unbounded.workingFolder,
      tasks: tasks(1),
      askAbove: { cost: 2 },
    })
    expect(unbounded.asked[0]?.reason).toContain('cost: the worst case is unbounded, and it asks above $2.00')
    expect(refused.status).toBe('limit-reached')
  })

  it('after a denial nothing has started, and every slot says why', async () => {
    const { runner, workingFolder, governor, a } = createAsked('deny')
    const result = await runner.parallel({ workingFolder, tasks: tasks(3), askAbove: { agents: 2 }, id: 'g' })
    expect(result).toMatchObject({
      status: 'limit-reached',
      counts: '3 stopped',
      breach: { meter: 'spawns', limit: 2 },
    })
    expect(result.error).toMatch(
      /^Not approved\. The agents limit of "parallel" leaves 2 .*askAbove\.agents in the call/,
    )
    expect(result.results[0]?.error).toContain('Not approved')
    expect(a.book).toHaveLength(0)
    expect((await governor.find('g'))?.status()).toBe('limit-reached')
    expect(await governor.find('g.1.1')).toBeNull()
  })

  it('approved in part, it asks for the rest', async () => {
    const { runner, workingFolder, asked } = createAsked({ amount: 2 })
    const result = await runner.parallel({ workingFolder, tasks: tasks(5), askAbove: { agents: 1 } })
    expect(asked.map((each) => each.asked)).toEqual([4, 2])
    expect(result.counts).toBe('5 completed')
  })

  it('does not lift a limit on the number of agents', async () => {
    const { runner, workingFolder, asked, a } = createAsked('approve')
    const layers = [{ layer: 'call', limits: { spawns: 3 } }] as const
    const result = await runner.parallel({ workingFolder, tasks: tasks(5), askAbove: { agents: 1 }, layers })
    expect(asked).toMatchObject([{ asked: 2 }])
    expect([result.status, a.book.length]).toEqual(['limit-reached', 0])
  })

  it("in an agent's file is about what that agent starts, and in a run about all of it", async () => {
    const { runner, workingFolder, governor } = createGroupStage(
      { a: word() },
      {},
      { limits: { askAbove: { agents: 3 } } },
    )
    await runner.parallel({ workingFolder, tasks: tasks(1), id: 'g' })
    expect((await (await governor.find('g.1.1'))!.usage()).spawns.limit).toBe(3)
    expect((await (await governor.find('g'))!.usage()).spawns.limit).toBeNull()
    const agent = agentFrom({ name: 'a', model: 'a' }, { askAbove: { agents: 3 } })
    await runner.run({ agent, task: 'go', workingFolder, id: 'r', askAbove: { agents: 5 } })
    expect((await (await governor.find('r'))!.usage()).spawns).toMatchObject({ limit: 5 })
    expect(foundAgents([agent])().agents.has('a')).toBe(true)
  })

  it('refuses thresholds that it cannot ask about', async () => {
    const { runner, workingFolder } = createGroupStage({ a: word() })
    const run = runner.parallel({ workingFolder, tasks: tasks(1), askAbove: { turns: 5 } as never })
    await expect(run).rejects.toThrow(
      /askAbove\.turns in the call of runner\.parallel: turns: 5 is neither a number of agents nor a cost/,
    )
  })
})

describe('askAbove without a terminal', () => {
  function createMachine() {
    const machine = createRunnerMachine()
    machine.script('word', [{ text: 'a word' }])
    machine.write(
      'ask.chain.yaml',
      'name: ask\naskAbove: { agents: 1 }\nsteps:\n  - { agent: plain }\n  - { agent: plain }\n',
    )
    return machine
  }
  const model = ['--model', 'scripted/word.json']
  type Paused = GroupResult & { readonly exitCode: number }

  it('pauses with 75; an approval and a resume continue it, and an earlier resume says what it waits for', async () => {
    const machine = createMachine()
    const args = ['plain: one', '--count', '3', '--id', 'g', ...model, '--ask-above', 'agents=2,cost=2']
    const paused = await machine.json<Paused>('parallel', ...args)
    expect(paused.exitCode).toBe(75)
    expect(paused.document).toMatchObject({ status: 'paused', counts: '3 queued', resumeUrl: '/tasks/g/resume' })
    const request = paused.document.request!
    expect(paused.stderr).toContain(`To answer: stint approve ${request} (or: stint deny ${request})`)
    expect(paused.stderr).toContain('Start up to 3 agents: plain ×3?')
    const early = await machine.run('resume', 'g', '--foreground')
    expect(early.stderr).toContain(`stint approve ${request}`)
    expect(early.exitCode).toBe(1)
    expect((await machine.run('requests')).stdout).toContain('Start up to 3 agents')
    expect((await machine.run('approve', request)).exitCode).toBe(0)
    const done = await machine.json<Paused>('resume', 'g', '--foreground')
    expect(done.document).toMatchObject({ status: 'completed', counts: '3 completed', exitCode: 0 })
  })

  it('has ended after a denial, and cannot be resumed', async () => {
    const machine = createMachine()
    const paused = await machine.json<Paused>('chain', 'ask.chain.yaml', 'go', '--id', 'c', ...model)
    expect(paused.exitCode).toBe(75)
    await machine.run('deny', paused.document.request!)
    const again = await machine.run('resume', 'c')
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('has ended (limit-reached)')])
    expect(existsSync(join(machine.tasksFolder, 'c.1'))).toBe(false)
  })

  it('pauses in the background too, and the config of an untrusted project only makes it ask earlier', async () => {
    const machine = createMachine()
    machine.write('stint.config.yaml', 'askAbove: { agents: 9, cost: 900 }\n')
    machine.write('../.config/stint/config.yaml', 'askAbove: { agents: 1 }\n')
    const begun = await machine.run('parallel', 'plain: one', 'plain: two', ...model, '--id', 'b', '--background')
    expect(begun.stdout).toBe('b\n')
    const meta = () => machine.meta('b') as unknown as GroupResult | null
    await machine.eventually(
      async () => meta(),
      (result) => result?.status === 'paused',
    )
    expect(meta()).toMatchObject({ counts: '2 queued', request: expect.any(String) })
  })

  it('stint plan says that it would ask', async () => {
    const machine = createMachine()
    const { document } = await machine.json<{ readonly asks: readonly object[] }>('plan', 'ask.chain.yaml', 'go')
    expect(document.asks).toMatchObject([{ meter: 'spawns', limit: 1, worstCase: 2 }])
    expect((await machine.run('plan', 'ask.chain.yaml', 'go')).stdout).toContain('A person is asked before it starts.')
  })
})
