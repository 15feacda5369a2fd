import { describe, expect, it } from 'vitest'
import type { LedgerStore } from '../core/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import { createGovernorFixture, isPending, mustReserve, settleDown } from './fixtures/governor.fixture.ts'
import { answerFrom, modelCall, TEST_PRICES, writesAll } from './fixtures/model.fixture.ts'
import { createLateStore } from './fixtures/store-wire.fixture.ts'
import { createTroubledStore, nextTurn } from './fixtures/troubled-store.fixture.ts'

const read = { name: 'read' }

/** A memory store that decides immediately and answers a little later. */
function createSlowStore(turns: Partial<Record<keyof LedgerStore, number>>): LedgerStore {
  return createTroubledStore((name) => ({ turnsBefore: 0, turnsAfter: turns[name] ?? 0, fails: false }))
}

/** A memory store that takes holds slowly. */
function createSlowHolds(): LedgerStore {
  return createTroubledStore((name) => ({ turnsBefore: name === 'hold' ? 5 : 0, turnsAfter: 0, fails: false }))
}

describe('concurrent events', () => {
  it('room that is freed while a call is told to wait is not missed', async () => {
    const { governor } = createGovernorFixture({ store: createSlowStore({ reserve: 5 }) })
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    const room = await mustReserve(run, { tokens: 90 })
    const late = run.reserve({ tokens: 50 })
    await nextTurn()
    await room.settle({ tokens: 10 })
    expect(await isPending(late)).toBe(false)
    expect(await late).toMatchObject({ kind: 'granted' })
  })

  it('a pause while a call is told to wait still refuses it', async () => {
    const { governor } = createGovernorFixture({ store: createSlowStore({ reserve: 5 }) })
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    await mustReserve(run, { tokens: 90 })
    const late = run.reserve({ tokens: 50 }).catch((error) => error.code)
    await nextTurn()
    await run.pause()
    expect(await isPending(late)).toBe(false)
    expect(await late).toBe('scope_paused')
  })

  it('a place that is freed while a child is told to queue is not missed', async () => {
    const { governor } = createGovernorFixture({ store: createSlowStore({ open: 5 }) })
    const run = await governor.open({ name: 'run', limits: { concurrency: 1 } })
    const first = await run.open({ name: 'first' })
    const second = run.open({ name: 'second' })
    await nextTurn()
    await first.close()
    expect(await isPending(second)).toBe(false)
  })

  it('E8: two concurrent raises both apply', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100, toolCalls: 1 } })
    await Promise.all([run.setLimits({ tokens: 500 }), run.setLimits({ toolCalls: 5 })])
    const usage = await run.usage()
    expect([usage.tokens.limit, usage.toolCalls.limit]).toEqual([500, 5])
    expect(await emitted('limit_raised')).toMatchObject([{ limit_kind: 'tokens' }, { limit_kind: 'toolCalls' }])
  })

  it('E8: a raise that the store refuses leaves the limits as they were', async () => {
    const store = createMemoryStore()
    const refuse = () => Promise.reject(new Error('read-only'))
    const { governor } = createGovernorFixture({ store: { ...store, setLimits: refuse } })
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    await expect(run.setLimits({ toolCalls: 5 })).rejects.toThrow('read-only')
    expect(run.explain()).toMatchObject([{ meter: 'toolCalls', max: 1 }])
  })

  it('E8: a refusal overtaken by a raise halts nothing', async () => {
    const { governor } = createGovernorFixture({ store: createSlowStore({ reserve: 8 }) })
    const run = await governor.open({ name: 'run', limits: { toolCalls: 1 } })
    await run.callTool(read, () => 1)
    const call = run.callTool(read, () => 2)
    await nextTurn()
    await run.setLimits({ toolCalls: 5 })
    expect(await call).toMatchObject({ value: 2 })
    expect(await run.callTool(read, () => 3)).toMatchObject({ value: 3 })
  })

  it('a request that expires during a second manual resume does not pause the scope', async () => {
    const late = createLateStore(createMemoryStore())
    const { governor, clock } = createGovernorFixture({ store: late.store })
    const run = await governor.open({ name: 'run', limits: { time: { max: '10s', action: 'ask' } } })
    await clock.advance(10_000)
    expect(run.status()).toBe('paused')
    const first = late.holdNext('resume')
    const resuming = [run.resume(), run.resume()]
    const call = run.callTool(read, () => 1)
    await settleDown()
    // Its time is still up, so it asks and is paused again; the second resume continues from there.
    const second = late.holdNext('resume')
    const isFirstOver = resuming[0]!.then(() => true)
    await settleDown()
    first.let()
    expect(await isFirstOver).toBe(true)
    late.store.answer = () => Promise.reject(new Error('damaged'))
    await clock.advance(3_600_000)
    second.let()
    await Promise.allSettled(resuming)
    expect(await call).toMatchObject({ kind: 'refused' })
    await settleDown()
    expect(run.status()).toBe('running')
    await governor.close()
  })

  it('the first concurrent calls of an agent leave its hold alone', async () => {
    const { governor } = createGovernorFixture({ store: createSlowHolds(), prices: TEST_PRICES })
    const run = await governor.open({ name: 'run', limits: { modelCalls: 2 }, wrapUp: true })
    const calls = [1, 2, 3].map(() => run.callModel(modelCall(10, 10), writesAll(10)))
    const outcomes = await Promise.all(calls)
    expect(outcomes.filter((outcome) => outcome.kind === 'done')).toHaveLength(1)
    expect(answerFrom(await run.callWrapUp(modelCall(10, 10), writesAll(10)))).not.toBe(null)
  })
})

describe('after an end', () => {
  it('C9: a child stopped while waiting does not disturb its parent’s clock', async () => {
    const { governor, clock } = createGovernorFixture()
    const parent = await governor.open({ name: 'parent', limits: { tokens: 100 } })
    await mustReserve(parent, { tokens: 90 })
    const first = await parent.open({ name: 'first' })
    const waiting = first.reserve({ tokens: 50 }).catch(() => null)
    await settleDown()
    await first.stop()
    await waiting
    const second = await parent.open({ name: 'second' })
    await second.pause()
    await clock.advance(5_000)
    expect((await parent.usage()).time.settled).toBe(0)
    await second.close()
    await clock.advance(1_000)
    expect((await parent.usage()).time.settled).toBe(1_000)
  })
})

describe('limits that change', () => {
  it('do not repeat what was reported about an unchanged clock', async () => {
    const { governor, clock, emitted } = createGovernorFixture()
    const limits = { tokens: 100, time: { max: '10s', action: 'pause' } } as const
    const run = await governor.open({ name: 'run', limits })
    await clock.advance(9_000)
    await run.setLimits({ tokens: 200 })
    await clock.advance(1_000)
    await run.setLimits({ tokens: 300 })
    expect(run.status()).toBe('paused')
    expect(await emitted('limit_nearing')).toHaveLength(1)
    expect(await emitted('limit_exceeded')).toHaveLength(1)
    await run.setLimits({ time: '20s' })
    expect(run.status()).toBe('running')
    await clock.advance(8_000)
    expect(await emitted('limit_nearing')).toHaveLength(2)
  })

  it('A15, E8: stop nothing when raised, even if an overrun is not yet covered', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    await (await mustReserve(run, { tokens: 100 })).settle({ tokens: 150 })
    await run.setLimits({ tokens: 120 })
    expect(await run.callTool(read, () => 1)).toMatchObject({ value: 1 })
    await run.setLimits({ tokens: 110 })
    expect(await run.callTool(read, () => 1)).toMatchObject({ kind: 'refused', breach: { meter: 'tokens' } })
  })

  it('E5: give a run that continues another closing call', async () => {
    const { governor } = createGovernorFixture({ prices: TEST_PRICES })
    const run = await governor.open({ name: 'run', limits: { modelCalls: 2 }, wrapUp: true })
    const call = () => run.callModel(modelCall(10, 10), writesAll(10))
    const close = () => run.callWrapUp(modelCall(10, 10), writesAll(10))
    await call()
    expect(await call()).toMatchObject({ kind: 'refused' })
    expect(answerFrom(await close())).not.toBe(null)
    await run.setLimits({ modelCalls: 5 })
    expect(answerFrom(await call())).not.toBe(null)
    expect((await run.usage()).modelCalls.held).toBe(1)
    expect(answerFrom(await call())).not.toBe(null)
    await call()
    expect(answerFrom(await close())).not.toBe(null)
  })

  it('a run that was paused at a limit and then finished is completed', async () => {
    const { governor, clock } = createGovernorFixture()
    const limits = { toolCalls: { max: 1, per: 'day', action: 'pause' } } as const
    const run = await governor.open({ name: 'run', limits })
    const child = await run.open({ name: 'child' })
    await child.callTool(read, () => 1)
    expect(await child.callTool(read, () => 2)).toMatchObject({ kind: 'refused' })
    await clock.advance(86_400_000)
    await run.resume()
    expect(await child.callTool(read, () => 2)).toMatchObject({ value: 2 })
    await child.close()
    await run.close()
    expect([child.status(), run.status()]).toEqual(['completed', 'completed'])
  })
})

describe('what is left', () => {
  it('of a child ignores a limit above it that only warns', async () => {
    const { governor } = createGovernorFixture()
    const pool = await governor.open({ name: 'pool', limits: { toolCalls: { max: 1, action: 'warn' } } })
    const child = await pool.open({ name: 'child', limits: { toolCalls: 5 } })
    await child.callTool(read, () => 1)
    await child.callTool(read, () => 1)
    expect((await child.usage()).toolCalls).toMatchObject({ limit: 5, remaining: 3 })
    expect((await pool.usage()).toolCalls).toMatchObject({ limit: 1, remaining: 0, overrun: 1 })
  })
})

describe('a window', () => {
  it('in a window that opens after the timer is checked when it opens', async () => {
    const { governor, clock } = createGovernorFixture({ waitMs: 3 * 3_600_000 })
    const run = await governor.open({ name: 'run', limits: { tokens: { max: 100, per: 'hour' } } })
    await mustReserve(run, { tokens: 90 })
    const waiting = run.reserve({ tokens: 50 })
    await settleDown()
    clock.jumpWall(-10)
    await clock.advance(3_600_000)
    expect(await isPending(waiting)).toBe(true)
    await clock.advance(10)
    expect(await isPending(waiting)).toBe(false)
  })
})
