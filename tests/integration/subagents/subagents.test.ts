import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call, createTeam, modelThat, turns } from './subagents.fixture.ts'

const limits = (given: object) => [{ layer: 'call', limits: given } as const]
const echo = () => modelThat((asked) => ({ text: `<${asked}>` }))

describe('an agent that delegates', () => {
  it('gets the answers, and is told what was spent and what is left', async () => {
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'look' }, 'one'),
      (told) => ({ text: told }),
    )
    const { runner, boss: agent, workingFolder } = createTeam({ boss, a: echo() })
    const result = await runner.run({
      agent,
      task: 'split it',
      workingFolder,
      id: 'r',
      layers: limits({ tokens: '100k', toolCalls: 9 }),
    })
    expect(result.error).toBe(null)
    expect(result.output).toMatch(
      /^a: completed\. Its id is r\.one\.\nSpent by the subagent: 1 model call, 110 tokens, .+ of active time\. Left for you: 8 of 9 tool calls, \d+ of 100000 tokens, .+\.\n\n<look>$/,
    )
    expect(result.children).toMatchObject([
      { id: 'r.one', agent: 'a', task: 'look', status: 'completed', output: '<look>' },
    ])
    expect(result.usage).toMatchObject({
      modelCalls: { settled: 3 },
      toolCalls: { settled: 1 },
      spawns: { settled: 1 },
    })
    const meta = JSON.parse(readFileSync(result.artifacts.meta, 'utf8'))
    expect(meta.children).toHaveLength(1)
    expect(runner.tasks.get('r.one')).toMatchObject({ parent: 'r', status: 'completed' })
  })

  it('starts several in parallel or in sequence, as one group with the budget of the run', async () => {
    const boss = turns(
      () =>
        call(
          'subagent',
          {
            tasks: [
              { agent: 'a', task: 'x' },
              { agent: 'b', task: 'y', count: 2 },
            ],
            concurrency: 2,
          },
          'p',
        ),
      () =>
        call(
          'subagent',
          {
            chain: [
              { agent: 'a', task: 'first', as: 'one' },
              { agent: 'b', task: '{outputs.one}!' },
            ],
          },
          'c',
        ),
      (told) => ({ text: told }),
    )
    const { runner, boss: agent, workingFolder } = createTeam({ boss, a: echo(), b: echo() })
    const result = await runner.run({ agent, task: 'split it', workingFolder, id: 'r' })
    expect(result.output).toMatch(/^chain \(2 completed\): completed\./)
    expect(result.output).toMatch(/\n<<first>!>$/)
    expect(result.children.map(({ id, status }) => [id, status])).toEqual([
      ['r.p.1.1', 'completed'],
      ['r.p.1.2', 'completed'],
      ['r.p.1.3', 'completed'],
      ['r.c.1', 'completed'],
      ['r.c.2', 'completed'],
    ])
    expect(result.usage).toMatchObject({ toolCalls: { settled: 2 }, modelCalls: { settled: 8 } })
  })

  it('B11: may go as deep as the tightest limit says, and is told the depth and the maximum', async () => {
    const again = () =>
      turns(
        () => call('subagent', { agent: 'boss', task: 'deeper' }),
        (told) => ({ text: told }),
      )
    const deep = modelThat((asked, { messages }) => {
      return messages.at(-1)?.role === 'tool' ? { text: asked } : call('subagent', { agent: 'boss', task: 'deeper' })
    })
    const byDefault = createTeam({ boss: deep })
    const { boss: agent, workingFolder } = byDefault
    const result = await byDefault.runner.run({ agent, task: 'go', workingFolder })
    expect(result.status).toBe('completed')
    expect(result.output).toContain('depth')
    expect(result.usage.spawns.settled).toBe(2)
    const none = createTeam({ boss: again() }, { limits: { boss: { limits: { depth: 0 } } } })
    const alone = await none.runner.run({ agent: none.boss, task: 'go', workingFolder: none.workingFolder })
    expect(alone.output).toMatch(/depth/)
    expect(alone.usage.spawns.settled).toBe(0)
    const wide = createTeam({ boss: deep }, { limits: { boss: { limits: { depth: 5 } } } })
    const outer = await wide.runner.run({
      agent: wide.boss,
      task: 'go',
      workingFolder: wide.workingFolder,
      layers: limits({ depth: 1 }),
    })
    expect(outer.usage.spawns.settled).toBe(1)
  })

  it('is refused more than its spawns with what to do, and continues', async () => {
    const boss = turns(
      () => call('subagent', { tasks: [{ agent: 'a', task: 'x', count: 3 }] }),
      (told) => ({ text: told }),
    )
    const { runner, boss: agent, workingFolder } = createTeam({ boss, a: echo() })
    const result = await runner.run({ agent, task: 'go', workingFolder, layers: limits({ spawns: 2 }) })
    expect(result).toMatchObject({ status: 'completed', usage: { spawns: { settled: 0 } } })
    expect(result.output).toMatch(/spawns/)
  })

  it('E10: gets the id of a child that pauses, continues, and can resume it', async () => {
    const a = turns(
      () => call('budget', { action: 'status' }),
      () => ({ text: 'all of it' }),
    )
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'x' }, 'kid'),
      () => call('subagent', { action: 'status' }),
      (told) => {
        expect(told).toBe('r.kid: a, paused')
        return call('subagent', { action: 'resume', id: 'r.kid' })
      },
      (told) => ({ text: told }),
    )
    const pausing = { modelCalls: { max: 1, action: 'pause' } }
    const { runner, boss: agent, workingFolder } = createTeam({ boss, a }, { limits: { a: { limits: pausing } } })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r' })
    expect(result.output).toMatch(/^a: paused\. /)
    expect(result.status).toBe('completed')
    expect(result.children).toMatchObject([{ id: 'r.kid', status: 'paused' }])
    expect(result.usage.spawns.settled).toBe(1)
  })

  it("ends with an outer limit that a child reaches: it is not handled as the child's error", async () => {
    const endless = modelThat(() => call('budget', { action: 'status' }))
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'x' }),
      (_, request) =>
        request.toolChoice === 'none' ? { text: 'closing words' } : call('subagent', { agent: 'a', task: 'y' }),
    )
    const { runner, boss: agent, workingFolder } = createTeam({ boss, a: endless })
    const result = await runner.run({ agent, task: 'go', workingFolder, layers: limits({ modelCalls: 6 }) })
    expect(result).toMatchObject({ status: 'limit-reached', breach: { meter: 'modelCalls', limit: 6 } })
    expect(result.usage.modelCalls.settled).toBe(6)
    expect(result.children[0]).toMatchObject({ agent: 'a', status: 'limit-reached' })
  })

  it('H10: is told which limit ended a handoff with messages 3, and continues', async () => {
    const endless = modelThat(() => call('budget', { action: 'status' }))
    const boss = turns(
      () => call('handoff', { agent: 'a', task: 'take over' }),
      (told) => ({ text: told }),
    )
    const {
      runner,
      boss: agent,
      workingFolder,
    } = createTeam({ boss, a: endless }, { boss: { handoffs: { a: { messages: 3 } } } })
    const result = await runner.run({ agent, task: 'go', workingFolder })
    expect(result.status).toBe('completed')
    expect(result.output).toMatch(/^a: limit-reached\. .*messages/)
  })

  it('submits a result with submit, which is not counted and ends the work', async () => {
    const boss = turns(() => ({ text: 'Here it is.', ...call('submit', { answer: 'the whole' }) }))
    const { runner, boss: agent, workingFolder } = createTeam({ boss })
    const result = await runner.run({ agent, task: 'go', workingFolder })
    expect(result).toMatchObject({ status: 'completed', output: 'the whole', usage: { toolCalls: { settled: 0 } } })
  })

  it('H11: has plain tool schemas: no allOf, anyOf, oneOf or parts with nothing but required', async () => {
    let tools: unknown
    const boss = turns((_, request) => {
      tools = request.tools
      return { text: 'done' }
    })
    const { runner, boss: agent, workingFolder } = createTeam({ boss })
    await runner.run({ agent, task: 'x', workingFolder })
    const text = JSON.stringify(tools)
    expect(text).toContain('"subagent"')
    expect(text).toContain('"handoff"')
    expect(text).not.toMatch(/"(allOf|anyOf|oneOf|not)"/)
  })
})
