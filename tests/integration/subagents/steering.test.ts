import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { call, createTeam, modelThat, turns } from './subagents.fixture.ts'

const MANY_CALLS = { toolCalls: 1_000 } as const
const limits = (given: object) => [{ layer: 'call', limits: given } as const]
const calls = (...made: readonly { readonly toolCalls: readonly object[] }[]) => ({
  toolCalls: made.flatMap(({ toolCalls }) => toolCalls) as never,
})
const background = (id: string, task = id) => call('subagent', { agent: 'a', task, async: true }, id)
const resume = (id: string) => call('subagent', { action: 'resume', id })

/** A model that goes on working until it is told by `isOver`. */
const until = (isOver: () => boolean) =>
  modelThat(() => (isOver() ? { text: 'finished' } : call('budget', { action: 'status' })))

describe('agents in the background', () => {
  it('can be waited for with resume, which costs one call and not one for each poll', async () => {
    const boss = turns(
      () => calls(background('x'), background('y')),
      () => calls(resume('r.x'), resume('r.y')),
      (told) => ({ text: told }),
    )
    const a = modelThat((asked) => ({ text: `<${asked}>` }))
    const { runner, boss: agent, workingFolder } = createTeam({ boss, a })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r' })
    expect(result.output).toMatch(/<y>$/)
    expect(result.children.map(({ id, status, output }) => [id, status, output])).toEqual([
      ['r.x', 'completed', '<x>'],
      ['r.y', 'completed', '<y>'],
    ])
    expect(result.usage.toolCalls.settled).toBe(4)
  })

  it('can be interrupted and resumed without a second spawn, and continue from there', async () => {
    let isOver = false
    const boss = turns(
      () => background('x'),
      () => call('subagent', { action: 'interrupt', id: 'r.x' }),
      (told) => {
        expect(told).toMatch(/^a is paused\. To resume it/)
        isOver = true
        return resume('r.x')
      },
      (told) => ({ text: told }),
    )
    const {
      runner,
      boss: agent,
      workingFolder,
    } = createTeam({ boss, a: until(() => isOver) }, { limits: { a: { limits: MANY_CALLS } } })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r', layers: limits(MANY_CALLS) })
    expect(result.output).toMatch(/^a: completed\. .*finished$/s)
    expect(result.children).toMatchObject([{ id: 'r.x', status: 'completed', output: 'finished' }])
    expect(result.usage.spawns.settled).toBe(1)
  })

  it('free their place while they are paused: eight paused ones do not block a ninth', async () => {
    const eight = ['1', '2', '3', '4', '5', '6', '7', '8']
    const boss = turns(
      () => calls(...eight.map((id) => background(id))),
      () => calls(...eight.map((id) => resume(`r.${id}`))),
      () => call('subagent', { agent: 'b', task: 'go' }, 'ninth'),
      (told) => ({ text: told }),
    )
    const a = modelThat(() => call('budget', { action: 'status' }))
    const b = modelThat(() => ({ text: 'the ninth' }))
    const own = { modelCalls: { max: 1, action: 'pause' } }
    const { runner, boss: agent, workingFolder } = createTeam({ boss, a, b }, { limits: { a: { limits: own } } })
    const layers = limits({ ...MANY_CALLS, concurrency: 8 })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r', layers })
    expect(result.children.filter(({ status }) => status === 'paused')).toHaveLength(8)
    expect(result.output).toMatch(/^b: completed\. .*the ninth$/s)
  })

  it('B9: run within the concurrency of their parent, and the others are queued', async () => {
    let running = 0
    let most = 0
    const a = modelThat(() => {
      most = Math.max(most, running)
      return { text: 'done' }
    })
    const boss = turns(
      () => calls(...['1', '2', '3', '4', '5', '6'].map((id) => background(id))),
      () => calls(...['1', '2', '3', '4', '5', '6'].map((id) => resume(`r.${id}`))),
      () => ({ text: 'all' }),
    )
    const { runner, boss: agent, workingFolder, governor } = createTeam({ boss, a })
    governor.on('scope_opened', ({ scope_path: path }) => {
      if (path.includes('/')) running++
    })
    governor.on('scope_closed', ({ scope_path: path }) => {
      if (path.includes('/')) running--
    })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r', layers: limits({ concurrency: 2 }) })
    expect(result.children.map(({ status }) => status)).toEqual(Array(6).fill('completed'))
    expect(most).toBeLessThanOrEqual(2)
    expect(most).toBeGreaterThan(0)
  })

  it('pause with their parent, and continue when it does', async () => {
    let isResumed = false
    const boss = modelThat((told, { messages }) => {
      if (messages.at(-1)?.role !== 'tool') return background('x')
      if (!isResumed) return call('budget', { action: 'status' })
      return told.includes('finished') ? { text: told } : call('subagent', { action: 'status', id: 'r.x' })
    })
    const {
      runner,
      boss: agent,
      workingFolder,
    } = createTeam({ boss, a: until(() => isResumed) }, { limits: { a: { limits: MANY_CALLS } } })
    const pausing = limits({ ...MANY_CALLS, modelCalls: { max: 20, action: 'pause' } })
    const paused = await runner.run({ agent, task: 'go', workingFolder, id: 'r', layers: pausing })
    expect(paused).toMatchObject({ status: 'paused', breach: { scope: 'r', meter: 'modelCalls' } })
    expect(paused.children).toMatchObject([{ id: 'r.x', status: 'paused' }])
    isResumed = true
    const result = await runner.resume('r', { add: { modelCalls: 100 } })
    expect(result).toMatchObject({ status: 'completed', output: expect.stringMatching(/finished$/) })
    expect(result.children).toMatchObject([{ id: 'r.x', status: 'completed', output: 'finished' }])
    expect(result.usage.spawns.settled).toBe(1)
  })
})

describe('a limit that pauses', () => {
  it('E10: of the parent itself pauses the parent, not only the child that reached it', async () => {
    const endless = until(() => false)
    const boss = turns(
      () => call('subagent', { agent: 'a', task: 'x' }, 'kid'),
      () => ({ text: 'swallowed' }),
    )
    const {
      runner,
      boss: agent,
      workingFolder,
    } = createTeam({ boss, a: endless }, { limits: { a: { limits: MANY_CALLS } } })
    const layers = limits({ ...MANY_CALLS, modelCalls: { max: 5, action: 'pause' } })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r', layers })
    expect(result).toMatchObject({ status: 'paused', output: null, breach: { scope: 'r', meter: 'modelCalls' } })
    expect(result.children).toMatchObject([{ id: 'r.kid', status: 'paused' }])
  })
})

describe('an agent that was handed a conversation', () => {
  it('does not repeat, when resumed, what the agent before it had started', async () => {
    let isResumed = false
    const boss = turns(
      () => background('x'),
      () => resume('r.x'),
      () => call('handoff', { agent: 'b', task: 'finish' }, 'over'),
      () => resume('r.over'),
      (told) => ({ text: told }),
    )
    const a = modelThat((asked) => ({ text: `<${asked}>` }))
    const {
      runner,
      boss: agent,
      workingFolder,
    } = createTeam(
      { boss, a, b: until(() => isResumed) },
      { agents: { b: { tools: ['subagent'] } }, limits: { b: { limits: MANY_CALLS } } },
    )
    const layers = limits({ ...MANY_CALLS, modelCalls: { max: 20, action: 'pause' } })
    const paused = await runner.run({ agent, task: 'go', workingFolder, id: 'r', layers })
    expect(paused.children).toMatchObject([
      { id: 'r.x', status: 'completed' },
      { id: 'r.over', status: 'paused' },
    ])
    isResumed = true
    const result = await runner.resume('r', { add: { modelCalls: 10 } })
    expect(result.output).toMatch(/^b: completed\. .*finished$/s)
    expect(result.usage.spawns.settled).toBe(2)
  })
})

describe('work that is checked', () => {
  it('is not changed by agents in the background, which have ended before', async () => {
    const seen: string[] = []
    const a = modelThat(() => {
      seen.push(existsSync(join(stage.workingFolder, 'verifying')) ? 'while it is verified' : 'before')
      return call('budget', { action: 'status' })
    })
    const boss = turns(
      () => background('x'),
      () => call('subagent', { action: 'status' }),
      () => ({ text: 'Done.' }),
    )
    const stage = createTeam({ boss, a }, { limits: { a: { limits: MANY_CALLS } } })
    const { runner, boss: agent, workingFolder } = stage
    const verify = [{ id: 'tests', command: 'touch verifying; sleep 0.5' }]
    const layers = limits({ toolCalls: 100_000 })
    const result = await runner.run({ agent, task: 'go', workingFolder, id: 'r', layers, acceptance: { verify } })
    expect(result).toMatchObject({ status: 'completed', acceptance: { status: 'verified' } })
    expect(result.children).toMatchObject([{ id: 'r.x', status: 'stopped' }])
    expect(seen).toContain('before')
    expect(seen).not.toContain('while it is verified')
  })
})
