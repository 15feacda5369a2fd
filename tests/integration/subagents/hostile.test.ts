import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunnerOptions } from '../../../src/runner/index.ts'
import { call, createTeam, modelThat, turns } from './subagents.fixture.ts'

const limits = (given: object) => [{ layer: 'call', limits: given } as const]
const echo = () => modelThat((asked) => ({ text: `<${asked}>` }))

describe('a model cannot', () => {
  it.each([
    { toolCalls: '50' },
    { toolCalls: { max: 50 } },
    { toolCalls: { max: 5, action: 'warn' } },
    { toolCalls: 'unlimited' },
    { toolCalls: null },
    { toolCalls: '5:warn' },
    { onLimit: 'warn', toolCalls: '5' },
    { depth: '9' },
  ])('loosen the limits of a child with %j, alone or in a group', async (asked) => {
    for (const order of [
      { agent: 'a', task: 'x', limits: asked },
      { tasks: [{ agent: 'a', task: 'x', limits: asked }] },
      { tasks: [{ agent: 'a', task: 'x' }], limits: asked },
    ]) {
      const boss = turns(
        () => call('subagent', order, 'kid'),
        (told) => ({ text: told }),
      )
      const {
        runner,
        governor,
        boss: agent,
        workingFolder,
      } = createTeam({ boss, a: echo() }, { limits: { a: { limits: { toolCalls: 5 } } } })
      const held: unknown[] = []
      governor.on('scope_opened', ({ scope_path: path }) => {
        if (path.includes('/')) held.push(path)
      })
      const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r', layers: limits({ depth: 1 }) })
      expect(result.status).toBe('completed')
      for (const { usage } of result.children) {
        if (usage !== null) expect(usage.toolCalls.limit).toBeLessThanOrEqual(5)
      }
      for (const { id } of result.children) {
        const known = (await governor.find(id))?.limits().filter(({ meter }) => meter === 'toolCalls') ?? []
        expect(known.some(({ action }) => action === 'terminate') || known.length === 0).toBe(true)
      }
    }
  })

  it('spend more than the pool by nested fan-outs', async () => {
    const widely = modelThat((_, { messages }) => {
      if (messages.at(-1)?.role === 'tool') return { text: 'done' }
      return call('subagent', { tasks: [{ agent: 'boss', task: 'more', count: 20 }], concurrency: 20 })
    })
    const { runner, boss: agent, workingFolder } = createTeam({ boss: widely })
    const layers = limits({ tokens: '40k', toolCalls: 1_000 })
    const result = await runner.run({ agent, task: 'go', workingFolder, layers })
    expect(result.usage.tokens.settled).toBeLessThanOrEqual(40_000)
    expect(result.usage.tokens.settled).toBeGreaterThan(1_000)
    expect(result.usage.tokens.reserved).toBe(0)
  })

  it('refer to the children of another agent, or of its own children', async () => {
    const nested = turns(
      () => call('subagent', { agent: 'b', task: 'deep' }, 'deep'),
      () => ({ text: 'done' }),
    )
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'x' }, 'kid'),
      () => call('subagent', { action: 'resume', id: 'r.kid.deep' }),
      (told) => {
        expect(told).toMatch(/^You have started nothing with the id "r\.kid\.deep"/)
        return call('subagent', { action: 'interrupt', id: 'r' })
      },
      (told) => ({ text: told }),
    )
    const {
      runner,
      boss: agent,
      workingFolder,
    } = createTeam({ boss, a: nested, b: echo() }, { agents: { a: { tools: ['subagent'] } } })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r' })
    expect(result.output).toMatch(/^You have started nothing with the id "r"/)
    expect(runner.tasks.get('r.kid.deep')).toMatchObject({ parent: 'r.kid', status: 'completed' })
  })

  it('hand over in a circle forever: every handoff is one level deeper', async () => {
    const passOn = (to: string) =>
      modelThat((asked, { messages }) =>
        messages.at(-1)?.role === 'tool' ? { text: asked } : call('handoff', { agent: to, task: 'you do it' }),
      )
    const {
      runner,
      boss: agent,
      workingFolder,
    } = createTeam({ boss: passOn('a'), a: passOn('boss') }, { agents: { a: { tools: ['handoff'] } } })
    const result = await runner.run({ agent, task: 'go', workingFolder })
    expect(result.status).toBe('completed')
    expect(result.output).toMatch(/depth/)
    expect(result.usage.spawns.settled).toBe(2)
  })

  it('change the agents of a run by writing files: they were read when it started', async () => {
    let asked = 0
    const stage = createTeam({ boss: echo(), a: echo() })
    const boss = turns(
      () => {
        writeFileSync(join(stage.workingFolder, 'late.md'), '---\nname: late\n---\nDo.\n')
        return call('subagent', { agent: 'late', task: 'x' })
      },
      (told) => ({ text: told }),
    )
    const again = createTeam({ boss, a: echo() })
    const findAgents: RunnerOptions['findAgents'] = (folder) => {
      asked++
      return again.findAgents(folder)
    }
    const counted = createTeam({ boss, a: echo() }, { findAgents })
    const result = await counted.runner.run({ agent: counted.boss, task: 'go', workingFolder: counted.workingFolder })
    expect(result.output).toMatch(/"late"/)
    expect(asked).toBe(1)
  })

  it('start one child twice with the same call in one answer', async () => {
    const boss = turns(
      () => {
        const [twice] = call('subagent', { agent: 'a', task: 'x' }, 'same').toolCalls
        return { toolCalls: [twice!, twice!] }
      },
      (told) => ({ text: told }),
    )
    const { runner, boss: agent, workingFolder } = createTeam({ boss, a: echo() })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r' })
    expect(result.usage.spawns.settled).toBe(1)
    expect(result.usage.modelCalls.settled).toBeLessThanOrEqual(3)
  })
})

describe('a refused spawn', () => {
  it('emits an event, and says what to do', async () => {
    const events: unknown[] = []
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'x' }),
      (told) => ({ text: told }),
    )
    const { runner, governor, boss: agent, workingFolder } = createTeam({ boss, a: echo() })
    governor.on('spawn_refused', (event) => void events.push(event))
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r', layers: limits({ depth: 0 }) })
    expect(events).toMatchObject([{ child_name: 'a', limit_kind: 'depth', limit: 0 }])
    expect(result.output).toMatch(/^"a" was not opened below "boss"\. The depth limit .* is used up: 0 of 0 used/)
    expect(result.children).toMatchObject([{ agent: 'a', status: 'limit-reached', breach: { meter: 'depth' } }])
  })

  it('B12: is blocked below one small call and its closing call, with spent and left in the text', async () => {
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'x' }),
      (told) => ({ text: told }),
    )
    const long = { prompt: 'word '.repeat(20_000), systemPromptMode: 'replace' } as const
    const { runner, boss: agent, workingFolder } = createTeam({ boss, a: echo() }, { agents: { a: long } })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r', layers: limits({ tokens: '40k' }) })
    expect(result.output).toMatch(/"a" was not opened below "boss"\. .*tokens/)
    expect(result.usage.spawns.settled).toBe(0)
  })
})

describe('F3: the budget that a child is told', () => {
  it.each([
    ['in the background', { async: true }],
    ['in the foreground', {}],
  ])('%s is told like to any agent: hints with 3, 2, 1 and 0 left', async (_, more) => {
    const seen: string[] = []
    const a = modelThat((told, { messages }) => {
      if (messages.at(-1)?.role === 'tool') seen.push(told)
      return seen.length >= 5 ? { text: 'enough' } : call('glob', { pattern: `*${messages.length}` })
    })
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'x', ...more }, 'kid'),
      () => call('subagent', { action: 'resume', id: 'r.kid' }),
      () => ({ text: 'done' }),
    )
    const {
      runner,
      boss: agent,
      workingFolder,
    } = createTeam({ boss, a }, { agents: { a: { tools: ['glob'] } }, limits: { a: { limits: { toolCalls: 5 } } } })
    await runner.run({ agent, task: 'go', workingFolder, id: 'r' })
    expect(seen.map((text) => /\[budget: (\d) of 5 tool calls left/.exec(text)?.[1] ?? null)).toEqual([
      null,
      '3',
      '2',
      '1',
      '0',
    ])
  })

  it('nested: is the tightest limit of the whole path', async () => {
    const seen: string[] = []
    const b = modelThat((told, { messages }) => {
      if (messages.at(-1)?.role !== 'tool') return call('glob', { pattern: '*' })
      seen.push(told)
      return { text: 'enough' }
    })
    const a = turns(
      () => call('subagent', { agent: 'b', task: 'y' }),
      () => ({ text: 'ok' }),
    )
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'x' }),
      () => ({ text: 'done' }),
    )
    const {
      runner,
      boss: agent,
      workingFolder,
    } = createTeam({ boss, a, b }, { agents: { a: { tools: ['subagent'] }, b: { tools: ['glob'] } } })
    await runner.run({ agent, task: 'go', workingFolder, layers: limits({ toolCalls: 5 }) })
    expect(seen).toEqual([expect.stringContaining('[budget: 2 of 5 tool calls left')])
  })
})
