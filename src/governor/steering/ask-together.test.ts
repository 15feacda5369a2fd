import { describe, expect, it } from 'vitest'
import { createGovernorFixture, isPending, mustReserve, settleDown } from '../fixtures/governor.fixture.ts'
import { answerFrom, deferred, modelCall, TEST_PRICES, writesAll } from '../fixtures/model.fixture.ts'

/** A used-up pool with the action `ask`, and two children. */
async function spentPool() {
  const fixture = createGovernorFixture({ prices: TEST_PRICES })
  const pool = await fixture.governor.open({ name: 'pool', limits: { toolCalls: { max: 1, action: 'ask' } } })
  const ann = await pool.open({ name: 'ann', limits: { time: '10m' } })
  const bob = await pool.open({ name: 'bob', limits: { time: '10m' } })
  await pool.callTool({ name: 'read' }, () => 0)
  return { ...fixture, pool, ann, bob }
}

const read = { name: 'read' }

describe('a request that several callers wait for', () => {
  it('is not answered by the end of one of them: the others keep waiting', async () => {
    const { governor, ann, bob, pool } = await spentPool()
    const first = ann.callTool(read, () => 'ann').catch(() => null)
    const second = bob.callTool(read, () => 'bob')
    await settleDown()
    await ann.stop()
    await first
    expect(await governor.requests()).toHaveLength(1)
    const third = pool.callTool(read, () => 'pool')
    await settleDown()
    await governor.approve((await governor.requests())[0]!.id, { amount: 2 })
    expect(await second).toMatchObject({ value: 'bob' })
    expect(await third).toMatchObject({ value: 'pool' })
    expect(pool.status()).toBe('running')
  })

  it('if denied after the caller has gone, still ends the scope it was made for', async () => {
    const { governor, ann, bob, pool } = await spentPool()
    const call = ann.callTool(read, () => 'ann').catch(() => null)
    await settleDown()
    await ann.stop()
    await call
    await governor.deny((await governor.requests())[0]!.id)
    await settleDown()
    expect(pool.status()).toBe('running')
    expect(await bob.callTool(read, () => 'bob')).toMatchObject({ kind: 'refused' })
    await pool.close()
    expect(pool.status()).toBe('limit-reached')
  })

  it('stops the clocks of all who wait for the answer', async () => {
    const { governor, clock, ann, bob } = await spentPool()
    const calls = [ann.callTool(read, () => 1), bob.callTool(read, () => 2)]
    await settleDown()
    await clock.advance(50 * 60_000)
    expect([(await ann.usage()).time.settled, (await bob.usage()).time.settled]).toEqual([0, 0])
    await governor.approve((await governor.requests())[0]!.id, { amount: 2 })
    expect(await Promise.all(calls)).toMatchObject([{ value: 1 }, { value: 2 }])
  })

  it('blocks other calls of the paused scope until it is answered, and then admits them', async () => {
    const { governor, ann, bob } = await spentPool()
    void ann.callTool(read, () => 1)
    await settleDown()
    const other = bob.callModel(modelCall(10, 10), writesAll(10))
    expect(await isPending(other as never)).toBe(true)
    expect(await bob.reserve({ modelCalls: 1 })).toMatchObject({ kind: 'refused', breach: { meter: 'toolCalls' } })
    const child = await bob.open({ name: 'child', needs: { modelCalls: 1 } })
    expect(child.status()).toBe('running')
    await governor.approve((await governor.requests())[0]!.id)
    expect(answerFrom(await other)).not.toBe(null)
  })

  it('E8: is answered by a raise of the limit', async () => {
    const { governor, ann, bob, pool, emitted } = await spentPool()
    const calls = [ann.callTool(read, () => 1), bob.callTool(read, () => 2)]
    await settleDown()
    await pool.setLimits({ toolCalls: 3 }, { by: 'cy' })
    expect(await Promise.all(calls)).toMatchObject([{ value: 1 }, { value: 2 }])
    expect(await governor.requests()).toEqual([])
    expect(await emitted('increase_granted')).toMatchObject([{ granted: 2, by: 'cy' }])
  })

  it('E8: stays open while only other limits are raised', async () => {
    const { governor, ann, pool } = await spentPool()
    const call = ann.callTool(read, () => 1)
    await settleDown()
    await pool.setLimits({ tokens: 500 })
    expect(await isPending(call as never)).toBe(true)
    expect([(await governor.requests()).length, pool.status()]).toEqual([1, 'paused'])
    await governor.approve((await governor.requests())[0]!.id)
    await call
  })

  it('is answered once, however many people answer at the same time', async () => {
    const { governor, ann, pool, emitted } = await spentPool()
    const call = ann.callTool(read, () => 1)
    await settleDown()
    const { id } = (await governor.requests())[0]!
    const answers = await Promise.allSettled([
      governor.approve(id, { amount: 2 }),
      governor.approve(id, { amount: 5 }),
      governor.deny(id),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await call).toMatchObject({ value: 1 })
    expect((await pool.usage()).toolCalls.limit).toBe(3)
    expect((await emitted('increase_granted')).length + (await emitted('increase_denied')).length).toBe(1)
  })

  it('is outlasted by a manual pause, which immediately refuses callers waiting for room', async () => {
    const { governor } = createGovernorFixture()
    const limits = { toolCalls: { max: 0, action: 'ask' }, tokens: 100 } as const
    const run = await governor.open({ name: 'run', limits })
    await mustReserve(run, { tokens: 90 })
    const waiting = expect(run.reserve({ tokens: 50 })).rejects.toMatchObject({ code: 'scope_paused' })
    const asking = expect(run.callTool(read, () => 1)).rejects.toMatchObject({ code: 'scope_paused' })
    await settleDown()
    await run.pause({ reason: 'lunch' })
    await waiting
    await governor.approve((await governor.requests())[0]!.id)
    await asking
    expect(run.status()).toBe('paused')
  })
})

describe('an answer', () => {
  it('is not reduced by limits above that only warn', async () => {
    const { governor } = createGovernorFixture()
    const pool = await governor.open({ name: 'pool', limits: { toolCalls: { max: 1, action: 'warn' } } })
    const child = await pool.open({ name: 'child', limits: { toolCalls: 1 }, onLimit: 'ask' })
    await child.callTool(read, () => 1)
    const request = await child.requestIncrease({ meter: 'toolCalls', amount: 4, reason: 'more' })
    expect(await governor.approve(request.id)).toMatchObject({ status: 'approved', granted: 4 })
  })

  it('gives a child more time, whatever its parent’s clock', async () => {
    const { governor, clock } = createGovernorFixture()
    const parent = await governor.open({ name: 'parent', limits: { time: '10m' } })
    const child = await parent.open({ name: 'child', limits: { time: '10m' }, onLimit: 'ask' })
    await clock.advance(60_000)
    const request = await child.requestIncrease({ meter: 'time', amount: 60_000, reason: 'slow' })
    expect(await governor.approve(request.id)).toMatchObject({ granted: 60_000 })
  })

  it('that denies leaves time for the closing call: a clock asks before its last part begins', async () => {
    const { governor, clock } = createGovernorFixture({ prices: TEST_PRICES })
    const run = await governor.open({ name: 'run', limits: { time: '60s' }, onLimit: 'ask', wrapUp: true })
    await clock.advance(59_000)
    expect([run.status(), (await run.usage()).time.settled]).toEqual(['paused', 54_000])
    await governor.deny((await governor.requests())[0]!.id)
    await settleDown()
    expect(run.signal.aborted).toBe(true)
    expect(answerFrom(await run.callWrapUp(modelCall(10, 10), writesAll(10)))).not.toBe(null)
    const hung = deferred<never>()
    void run.callWrapUp(modelCall(10, 10), () => hung.promise)
    await clock.advance(10_000)
    expect(await governor.requests()).toEqual([])
  })
})
