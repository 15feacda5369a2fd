import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createGovernor } from '../../../src/governor/index.ts'
import { createRunner } from '../../../src/runner/index.ts'
import { createSqliteStore } from '../../../src/stores/sqlite/index.ts'
import { createScriptedLanguageModel } from '../../../src/testing/ai-sdk/index.ts'
import { scriptedModels } from '../runner/scripted-models.ts'
import { agentFrom, createGroupStage, foundAgents, modelThat } from './modes.fixture.ts'

const tasks = (count: number) => [{ agent: 'a', task: 'say a word', count }]
const limits = (given: object) => [{ layer: 'call', limits: given } as const]
const word = (inputTokens = 100, outputTokens = 10) =>
  modelThat(() => ({ text: 'word', usage: { inputTokens, outputTokens } }))

/** The same with a price. */
const pricedWord = () =>
  createScriptedLanguageModel(
    function* () {
      for (;;) yield { text: 'word', usage: { inputTokens: 400, outputTokens: 10 } }
    },
    { modelId: 'claude-sonnet-5-5' },
  )

describe('the pool of a group', () => {
  it('B12: is shared by all agents, set by the config or the call, and finished agents keep their answers when it is empty', async () => {
    const { runner, workingFolder } = createGroupStage({ a: word(3_000, 100) })
    const config = { layer: 'project', file: 'stint.config.yaml', limits: { token_budget: '1m' } } as const
    const result = await runner.parallel({
      workingFolder,
      tasks: tasks(8),
      concurrency: 1,
      layers: [config, ...limits({ tokens: '10k' })],
    })
    const completed = result.results.filter(({ status }) => status === 'completed')
    const refused = result.results.filter(({ status }) => status !== 'completed')
    expect(completed.length).toBeGreaterThan(0)
    expect(completed.every(({ output }) => output === 'word')).toBe(true)
    expect(refused.length).toBeGreaterThan(0)
    expect(result).toMatchObject({ status: 'limit-reached', breach: { meter: 'tokens', limit: 10_000 } })
    const [first] = refused
    expect(first).toMatchObject({ status: 'limit-reached', output: null })
    expect(first?.error).toMatch(/tokens limit of "parallel"/)
    expect(result.usage.tokens).toMatchObject({ limit: 10_000, overrun: 0 })
    expect(result.usage.tokens.settled + (result.usage.tokens.remaining ?? 0)).toBe(10_000)
  })

  it('B13: a 20-way fan-out of one-word agents never spends more than a small pool', async () => {
    const { runner, workingFolder } = createGroupStage({ a: word(400, 10) })
    const result = await runner.parallel({
      workingFolder,
      tasks: tasks(20),
      concurrency: 20,
      layers: limits({ tokens: 9_000 }),
    })
    expect(result.usage.tokens.settled).toBeLessThanOrEqual(9_000)
    expect(result.usage.tokens.overrun).toBe(0)
    expect(result.results.filter(({ status }) => status === 'completed').length).toBeGreaterThan(3)
    expect(result.results.every(({ status }) => ['completed', 'limit-reached'].includes(status))).toBe(true)
  })

  it('under a small cost limit, agents wait until the others no longer hold it for their closing calls', async () => {
    const { runner, workingFolder } = createGroupStage({ a: pricedWord() })
    const result = await runner.parallel({
      workingFolder,
      tasks: tasks(10),
      concurrency: 4,
      layers: limits({ cost: 0.06 }),
    })
    expect(result.results.map(({ error }) => error)).toEqual(Array.from({ length: 10 }, () => null))
    expect(result).toMatchObject({ status: 'completed', counts: '10 completed' })
    expect(result.usage.cost.settled).toBeLessThan(60_000_000)
  })

  it('once the first call of an agent was refused, others like it are refused before anything is written', async () => {
    const { runner, workingFolder, taskFolder } = createGroupStage({ a: pricedWord() })
    const result = await runner.parallel({ workingFolder, tasks: tasks(60), layers: limits({ cost: 0.06 }) })
    const [completed, refused] = ['completed', 'limit-reached'].map((status) =>
      result.results.filter((each) => each.status === status),
    )
    expect(completed!.length + refused!.length).toBe(60)
    expect(refused!.length).toBeGreaterThan(10)
    // The group itself, those that completed, and at most as many others as run at once.
    expect(readdirSync(taskFolder).length).toBeLessThanOrEqual(1 + completed!.length + 4)
    for (const { error } of refused!) expect(error).toMatch(/limit of "parallel"/)
  })

  it('E12: every admitted agent ends with an answer', async () => {
    const long = 'word '.repeat(2_500)
    const a = modelThat(() => ({ text: 'done' }))
    const { runner, workingFolder } = createGroupStage({ a })
    const result = await runner.parallel({
      workingFolder,
      tasks: [{ agent: 'a', task: long, count: 20 }],
      concurrency: 20,
      layers: limits({ tokens: '100k' }),
    })
    const begun = result.results.filter(({ artifacts }) => artifacts !== null)
    expect(begun.length).toBeGreaterThan(5)
    expect(begun.every(({ output, partialOutput }) => (output ?? partialOutput) === 'done')).toBe(true)
    expect(result.usage.tokens.settled).toBeLessThanOrEqual(100_000)
  })

  it('F3: each agent is told its equal or given share when it starts', async () => {
    const a = word()
    const { runner, workingFolder } = createGroupStage({ a }, {}, { limits: { limits: { cost: null } } })
    const system = (entry: number) => a.book[entry]?.request.messages[0]?.content
    const equal = await runner.parallel({
      workingFolder,
      tasks: tasks(4),
      share: 'equal',
      layers: limits({ tokens: '200k' }),
    })
    expect(equal.status).toBe('completed')
    expect(system(0)).toMatch(/50,000 tokens|50k tokens|50000 tokens/)
    expect(equal.results.map(({ usage }) => usage?.tokens.limit)).toEqual([50_000, 50_000, 50_000, 50_000])
    const given = await runner.parallel({
      workingFolder,
      tasks: tasks(1),
      share: { tokens: '20k' },
      layers: limits({ tokens: '200k' }),
    })
    expect(given.results[0]?.usage?.tokens.limit).toBe(20_000)
    await expect(runner.parallel({ workingFolder, tasks: tasks(1), share: 'half' as never })).rejects.toThrow(
      /A share is "equal"/,
    )
  })

  it('B7: of two batches of two under spawns 2, from two governors at once, one is admitted whole and the other refused', async () => {
    const first = createGroupStage({ a: word() })
    await first.governor.budget('team:core', { limits: { spawns: 2 } })
    const store = createSqliteStore({ file: first.ledger })
    const governor = createGovernor({ store })
    const model = word()
    const second = createRunner({
      governor,
      models: scriptedModels({ a: model }),
      taskFolder: join(first.taskFolder, '../others'),
      env: {},
      findAgents: foundAgents([agentFrom({ name: 'a', model: 'a' })]),
    })
    const run = async (runner: typeof second, own: typeof governor) =>
      runner.parallel({ workingFolder: first.workingFolder, tasks: tasks(2), within: await own.budget('team:core') })
    const results = await Promise.all([run(first.runner, first.governor), run(second, governor)])
    expect(results.map(({ status }) => status).sort()).toEqual(['completed', 'limit-reached'])
    const refused = results.find(({ status }) => status === 'limit-reached')!
    expect(refused.results.map(({ status, artifacts }) => [status, artifacts])).toEqual([
      ['stopped', null],
      ['stopped', null],
    ])
    expect(refused).toMatchObject({ breach: { meter: 'spawns', limit: 2 }, error: expect.stringContaining('spawns') })
    await governor.close()
    await store.dispose()
  })

  it('B9, B14: its agents never exceed its concurrency, wherever that is written', async () => {
    let running = 0
    let most = 0
    const a = modelThat(() => {
      most = Math.max(most, ++running)
      return { text: 'word', delayMs: 20 }
    })
    const { runner, workingFolder, governor } = createGroupStage({ a })
    governor.on(() => void running--, { names: ['agent_completed'] })
    const result = await runner.parallel({
      workingFolder,
      tasks: tasks(7),
      concurrency: 5,
      layers: limits({ concurrency: 2 }),
    })
    expect(result.status).toBe('completed')
    expect(most).toBe(2)
  })

  it('B10: the clocks of a queued agent start when it does', async () => {
    const a = modelThat(() => ({ text: 'word', delayMs: 1_000 }))
    // Together they take longer than any of them may; alone each has far more than it needs, on a busy machine too.
    const limits = { limits: { wallTime: 5_000, cost: null } }
    const { runner, workingFolder } = createGroupStage({ a }, {}, { limits })
    const result = await runner.parallel({ workingFolder, tasks: tasks(6), concurrency: 1 })
    expect(result.counts).toBe('6 completed')
  })

  it('E9: agents that reach an asking limit of the pool make one request, and share exactly what is approved', async () => {
    const read = { toolCalls: [{ name: 'glob', arguments: { pattern: '*' } }] }
    const a = modelThat((_, { messages }) =>
      messages.filter(({ role }) => role === 'tool').length < 2 ? read : { text: 'ok' },
    )
    const { runner, workingFolder, governor } = createGroupStage({ a }, {}, { limits: { repeatGuard: false } })
    const asked: string[] = []
    governor.on(({ event, ...rest }) => {
      if (event !== 'increase_requested') return
      asked.push((rest as { request: string }).request)
      void governor.approve(asked.at(-1)!, { amount: 14, by: 'ann' })
    })
    const result = await runner.parallel({
      workingFolder,
      tasks: tasks(10),
      concurrency: 10,
      layers: limits({ toolCalls: { max: 6, action: 'ask' } }),
    })
    expect(asked).toHaveLength(1)
    expect(result.counts).toBe('10 completed')
    expect(result.usage.toolCalls).toMatchObject({ limit: 20, settled: 20 })
  })
})

describe('a group that does not complete', () => {
  it('C2: at concurrency 1, fast then slow: the first is completed and kept, the second timed out, a third not started', async () => {
    const a = word()
    const b = modelThat(() => ({ text: 'late', delayMs: 3_600_000 }))
    const { runner, workingFolder } = createGroupStage({ a, b })
    const result = await runner.parallel({
      workingFolder,
      tasks: [
        { agent: 'a', task: 'fast' },
        { agent: 'b', task: 'slow' },
        { agent: 'a', task: 'third' },
      ],
      concurrency: 1,
      // Long enough for the first on a busy machine; the second never ends.
      timeoutMs: 8_000,
    })
    expect(result).toMatchObject({ status: 'timed-out', timedOut: true, error: 'Timed out after 8000ms.' })
    expect(result.counts).toBe('1 completed, 2 timed-out')
    expect(result.results.map(({ status, output }) => [status, output])).toEqual([
      ['completed', 'word'],
      ['timed-out', null],
      ['timed-out', null],
    ])
    expect(result.partialOutput).toContain(
      '=== Parallel Task 1 (a) ===\nword\n\n=== Parallel Task 2 (b) ===\nTIMED OUT: ',
    )
    await expect(
      runner.parallel({ workingFolder, tasks: tasks(1), timeoutMs: 100, maxRuntimeMs: 200 }),
    ).rejects.toThrow(/aliases/)
  })

  it('H1: has the worst status of its agents, and its counts list all', async () => {
    const b = modelThat(() => ({ error: { status: 401, message: 'no such key' } }))
    const c = modelThat(() => ({ text: 'late', delayMs: 3_600_000 }))
    const { runner, workingFolder } = createGroupStage({ a: word(), b, c })
    const run = (...names: string[]) =>
      runner.parallel({ workingFolder, tasks: names.map((agent) => ({ agent, task: 'go' })), timeoutMs: 8_000 })
    const [worst, late] = await Promise.all([run('a', 'c', 'b'), run('a', 'c')])
    expect(worst).toMatchObject({ status: 'failed', counts: '1 completed, 1 timed-out, 1 failed' })
    expect(late).toMatchObject({ status: 'timed-out', counts: '1 completed, 1 timed-out' })
  })

  it('H1: is paused while one of its agents is, and a resume continues only that one', async () => {
    const read = { toolCalls: [{ name: 'glob', arguments: { pattern: '*' } }] }
    const b = modelThat((_, { messages }) => (messages.some(({ role }) => role === 'tool') ? { text: 'done' } : read))
    const a = word()
    const { runner, workingFolder, governor } = createGroupStage({ a, b }, {})
    const result = await runner.parallel({
      workingFolder,
      id: 'g',
      tasks: [
        { agent: 'a', task: 'go' },
        { agent: 'b', task: 'go', limits: { toolCalls: { max: 0, action: 'pause' } } },
      ],
    })
    expect(result).toMatchObject({ status: 'paused', counts: '1 paused, 1 completed', resumeUrl: '/tasks/g/resume' })
    expect(runner.tasks.get('g')).toMatchObject({ status: 'paused' })
    await (await governor.find('g.1.2'))!.setLimits({ toolCalls: 2 })
    const [done, other] = await Promise.allSettled([runner.resumeGroup('g'), runner.resumeGroup('g')])
    const results = [done, other].flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(results).toHaveLength(1)
    expect(results[0]).toMatchObject({ status: 'completed', counts: '2 completed' })
    expect(results[0]?.results.map(({ output }) => output)).toEqual(['word', 'done'])
    expect(a.book).toHaveLength(1)
  })

  it('failFast: the first failure stops running agents, and others are not started', async () => {
    const b = modelThat(() => ({ error: { status: 401, message: 'no such key' } }))
    const c = modelThat(() => ({ text: 'late', delayMs: 3_600_000 }))
    const { runner, workingFolder } = createGroupStage({ a: word(), b, c })
    const result = await runner.parallel({
      workingFolder,
      tasks: ['c', 'b', 'a'].map((agent) => ({ agent, task: 'go' })),
      concurrency: 2,
      failFast: true,
    })
    expect(result.results.map(({ status }) => status)).toEqual(['stopped', 'failed', 'stopped'])
    expect(result.results[2]?.error).toBe('Not started: b (2) did not complete, and failFast is on.')
    expect(result.partialOutput).toContain('=== Parallel Task 3 (a) ===\nSKIPPED: Not started')
  })

  it('is cancelled by its signal, and keeps what is done', async () => {
    const controller = new AbortController()
    const c = modelThat(() => ({ text: 'late', delayMs: 3_600_000 }))
    const { runner, workingFolder, governor } = createGroupStage({ a: word(), c })
    const result = await runner.parallel(
      { workingFolder, id: 'g', tasks: ['a', 'c', 'a'].map((agent) => ({ agent, task: 'go' })), concurrency: 1 },
      {
        signal: controller.signal,
        onProgress: (progress) => {
          if (progress.kind === 'member' && progress.id === 'g.1.2' && progress.progress.kind === 'model-call')
            controller.abort()
        },
      },
    )
    expect(result).toMatchObject({ status: 'stopped', counts: '1 completed, 2 stopped' })
    expect((await governor.find('g.1.3'))?.status()).toBe('stopped')
  })

  it('C7: a deadline ends an agent that waits for its place in the budget', async () => {
    const a = modelThat(() => ({ text: 'late', delayMs: 3_600_000, usage: { inputTokens: 100, outputTokens: 10 } }))
    const { runner, workingFolder } = createGroupStage({ a })
    const result = await runner.parallel({
      workingFolder,
      tasks: tasks(3),
      concurrency: 3,
      layers: limits({ tokens: 8_000 }),
      timeoutMs: 900,
    })
    expect(result.status).toBe('timed-out')
    expect(result.results.every(({ status }) => status === 'timed-out' || status === 'limit-reached')).toBe(true)
  })
})
