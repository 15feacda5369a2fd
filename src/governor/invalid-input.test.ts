import { describe, expect, it } from 'vitest'
import type { EndStatus } from '../core/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import { createGovernor } from './create-governor.ts'
import { createGovernorFixture, mustReserve, settleDown } from './fixtures/governor.fixture.ts'
import { modelCall, writesAll } from './fixtures/model.fixture.ts'

const NOT_A_TIME = [Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, '5' as unknown as number]

describe('invalid input', () => {
  it.each(NOT_A_TIME)('a wait of %s is refused before anything waits', async (waitMs) => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100, concurrency: 1 } })
    await mustReserve(run, { tokens: 90 })
    await run.open({ name: 'first' })
    const invalid = { code: 'invalid_option' }
    await expect(run.reserve({ tokens: 50 }, { waitMs })).rejects.toMatchObject(invalid)
    await expect(run.callModel(modelCall(1, 1, { waitMs }), writesAll(1))).rejects.toMatchObject(invalid)
    await expect(run.open({ name: 'second', waitMs })).rejects.toMatchObject(invalid)
    await settleDown()
    expect(clock.pendingTimers).toBe(0)
  })

  it.each(NOT_A_TIME)('a timeout of %s is refused before the tool is counted', async (timeoutMs) => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 2 } })
    await expect(run.callTool({ name: 'read', timeoutMs }, () => 1)).rejects.toMatchObject({ code: 'invalid_option' })
    expect((await run.usage()).toolCalls).toMatchObject({ settled: 0, reserved: 0 })
  })

  it.each([
    { tokens: Number.NaN },
    { tokens: -5 },
    { tokens: '7' as unknown as number },
    { tockens: 7 } as object,
    JSON.parse('{"__proto__": {"tokens": 1}}') as object,
  ])('needs of %j are refused, and do not affect the next child', async (needs) => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    await expect(run.open({ name: 'child', needs })).rejects.toMatchObject({ code: 'invalid_amount' })
    expect(await run.open({ name: 'child', needs: { tokens: 100 } })).toMatchObject({ name: 'child' })
  })

  it.each([
    ['a Map', new Map([['tokens', 50]])],
    ['5', 5],
    ['a list of 1', [1]],
    ['a promise', Promise.resolve({ tokens: 1 })],
    ['null', null],
  ])('amounts that are %s are refused with their place, and nothing is reserved', async (shown, given) => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    const amounts = given as never
    await expect(run.reserve(amounts)).rejects.toThrow(`reserve(amounts) is ${shown}, but must be an object of amounts`)
    await expect(run.open({ name: 'child', needs: amounts })).rejects.toThrow(`open({ needs }) is ${shown}, but`)
    const room = await mustReserve(run, { tokens: 10 })
    if (given !== null) await expect(room.settle(amounts)).rejects.toThrow(`settle(actual) is ${shown}, but`)
    expect((await run.usage()).tokens).toMatchObject({ settled: 0, reserved: 10 })
  })

  it('null as limits is refused: an empty object means no limits', async () => {
    const { governor } = createGovernorFixture()
    const limits = null as never
    await expect(governor.open({ name: 'run', limits })).rejects.toMatchObject({ code: 'invalid_limit' })
    await expect(governor.budget('team', { limits })).rejects.toMatchObject({ code: 'invalid_limit' })
    expect(await governor.find('team')).toBe(null)
  })

  it('execution_limits is executionLimits under its published name, and both must be the same', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', execution_limits: { max_turns: 1 } })
    await run.callTool({ name: 'read' }, () => 1)
    expect(await run.callTool({ name: 'read' }, () => 1)).toMatchObject({ kind: 'refused', breach: { limit: 1 } })
    const other = { name: 'other', executionLimits: { max_turns: 1 } }
    await expect(governor.open({ ...other, execution_limits: { max_turns: 2 } })).rejects.toThrow(
      'two names of one option',
    )
    await governor.open({ ...other, execution_limits: { max_turns: 1 } })
  })

  it.each(['cut \ud83d', 'a\0b', '', 7 as unknown as string])(
    'an id or a label of %j is refused with its place, and nothing is opened under it',
    async (text) => {
      const store = createMemoryStore()
      const { governor } = createGovernorFixture({ store })
      await expect(governor.open({ name: 'run', id: text })).rejects.toThrow(/^open\(\{ id \}\) is /)
      if (text !== '') {
        await expect(governor.open({ name: 'run', taskId: text })).rejects.toThrow(/^open\(\{ taskId \}\) is /)
        await expect(governor.open({ name: 'run', agentType: text })).rejects.toThrow(/^open\(\{ agentType \}\) is /)
      }
      expect(() => createGovernor({ holder: text })).toThrow(/^createGovernor\(\{ holder \}\) is /)
      const made = createGovernor({ store, holder: 'here', createId: () => text })
      await expect(made.open({ name: 'run' })).rejects.toThrow(/^createGovernor\(\{ createId \}\)\(\) is /)
      expect(await store.list({ standing: 'all', atMs: 0 })).toEqual([])
    },
  )

  it('an end with an invalid status is refused, and the scope continues', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run' })
    for (const status of ['running', 'done', 7, '__proto__'] as unknown as EndStatus[]) {
      await expect(run.close(status)).rejects.toMatchObject({ code: 'invalid_option' })
    }
    expect(run.status()).toBe('running')
    await run.close('failed')
    expect(run.status()).toBe('failed')
  })

  it('a clock on a lasting budget is refused: no process would run it', async () => {
    const { governor } = createGovernorFixture()
    const limits = { time: '10m' }
    await expect(governor.budget('team:core', { limits })).rejects.toMatchObject({ code: 'invalid_option' })
    const team = await governor.budget('team:core', { limits: { toolCalls: 5 } })
    await expect(team.setLimits({ wallTime: '10m' })).rejects.toMatchObject({ code: 'invalid_option' })
    await expect(governor.budget('team:core', { limits })).rejects.toMatchObject({ code: 'invalid_option' })
    expect((await team.usage()).wallTime.limit).toBe(null)
  })

  it('a budget is not a run, nor a run a budget, whatever their ids', async () => {
    const { governor } = createGovernorFixture()
    await governor.budget('team')
    await governor.open({ name: 'run', id: 'run' })
    await expect(governor.open({ name: 'team', id: 'team' })).rejects.toMatchObject({ code: 'scope_exists' })
    await expect(governor.budget('run')).rejects.toMatchObject({ code: 'scope_exists' })
  })

  it('the limits of an ended scope can be neither raised nor asked about', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    await run.close()
    const closed = { code: 'scope_closed' }
    await expect(run.setLimits({ toolCalls: 5 })).rejects.toMatchObject(closed)
    const ask = { meter: 'toolCalls', amount: 1, reason: 'more' } as const
    await expect(run.requestIncrease(ask)).rejects.toMatchObject(closed)
    expect([await governor.requests(), clock.pendingTimers]).toEqual([[], 0])
  })

  it('a usage that cannot be read is charged at the worst case, and the answer is not lost', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 1_000 } })
    const answer = Object.defineProperty({ value: { text: 'hello' }, usage: null }, 'usage', {
      get() {
        throw new Error('not yet')
      },
    })
    expect(await run.callModel(modelCall(100, 50), async () => answer)).toMatchObject({ value: { text: 'hello' } })
    expect((await run.usage()).tokens).toMatchObject({ settled: 150, reserved: 0 })
    const unreadable = new Proxy(new Error('no'), {
      get() {
        throw new Error('not this either')
      },
    })
    await run.callModel(modelCall(100, 50), () => Promise.reject(unreadable)).catch(() => null)
    expect((await run.usage()).tokens).toMatchObject({ settled: 300, reserved: 0 })
  })
})
