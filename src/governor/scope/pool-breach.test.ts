import { describe, expect, it } from 'vitest'
import { createGovernorFixture, mustReserve, settleDown } from '../fixtures/governor.fixture.ts'
import { answer, answerFrom, deferred, modelCall, TEST_PRICES, writesAll } from '../fixtures/model.fixture.ts'

const read = { name: 'read' }

describe('a breach of the pool by one of its children', () => {
  it('B12, E5: halts the pool, keeps finished work and calls in flight, and leaves every child its closing call', async () => {
    const { governor, emitted } = createGovernorFixture({ prices: TEST_PRICES })
    const pool = await governor.open({ name: 'pool', limits: { tokens: 20_000 }, wrapUp: true })
    await pool.callModel(modelCall(500, 500), writesAll(500))
    const children = await pool.openAll(['done', 'busy', 'greedy'].map((name) => ({ name, wrapUp: true })))
    const [done, busy, greedy] = children as [(typeof children)[0], (typeof children)[0], (typeof children)[0]]
    await done.callModel(modelCall(500, 500), writesAll(500))
    await done.close()
    const slow = deferred<ReturnType<typeof answer>>()
    const inFlight = busy.callModel(modelCall(500, 500), () => slow.promise)
    await settleDown()
    for (let turn = 0; turn < 50; turn++) {
      if ((await greedy.callModel(modelCall(500, 4_000, { waitMs: 0 }), writesAll(500))).kind === 'refused') break
    }
    expect(await busy.callTool(read, () => 1)).toMatchObject({ kind: 'refused', breach: { scope: pool.id } })
    slow.resolve(answer(500, 100, 'busy'))
    expect(answerFrom(await inFlight)).toMatchObject({ text: 'busy' })
    for (const scope of [busy, greedy, pool]) {
      expect(answerFrom(await scope.callWrapUp(modelCall(500, 256), writesAll(500)))).not.toBe(null)
    }
    for (const scope of [busy, greedy, pool]) await scope.close()
    expect([done, busy, greedy, pool].map((scope) => scope.status())).toEqual([
      'completed',
      'limit-reached',
      'limit-reached',
      'limit-reached',
    ])
    expect((await pool.usage()).tokens).toMatchObject({ overrun: 0, held: 0, reserved: 0 })
    expect(await emitted('limit_exceeded')).toHaveLength(1)
  })

  it('B1: a breach of a child’s own limit never halts the parent or a sibling', async () => {
    const { governor } = createGovernorFixture()
    const pool = await governor.open({ name: 'pool', limits: { toolCalls: 10 } })
    const child = await pool.open({ name: 'child', limits: { toolCalls: 1 } })
    const sibling = await pool.open({ name: 'sibling' })
    await child.callTool(read, () => 1)
    expect(await child.callTool(read, () => 2)).toMatchObject({ kind: 'refused', breach: { scope: child.id } })
    expect(await sibling.callTool(read, () => 1)).toMatchObject({ value: 1 })
    expect(await pool.callTool(read, () => 1)).toMatchObject({ value: 1 })
    await pool.close()
    expect(pool.status()).toBe('completed')
  })

  it('E10: pausing the pool refuses its children, and all of them continue after a raise', async () => {
    const { governor, clock } = createGovernorFixture()
    const pool = await governor.open({ name: 'pool', limits: { toolCalls: 1 }, onLimit: 'pause' })
    const child = await pool.open({ name: 'child', limits: { time: '1m' }, needs: {} })
    const sibling = await pool.open({ name: 'sibling', needs: {} })
    await child.callTool(read, () => 1)
    expect(await child.callTool(read, () => 2)).toMatchObject({ kind: 'refused', breach: { action: 'pause' } })
    expect(await sibling.callTool(read, () => 2)).toMatchObject({ kind: 'refused' })
    expect([pool.status(), child.status()]).toEqual(['paused', 'running'])
    await expect(child.resume()).rejects.toMatchObject({ code: 'not_paused' })
    await clock.advance(86_400_000)
    await pool.setLimits({ toolCalls: 10 })
    expect(await child.callTool(read, () => 2)).toMatchObject({ value: 2 })
    expect(await sibling.callTool(read, () => 2)).toMatchObject({ value: 2 })
    for (const scope of [child, sibling, pool]) await scope.close()
    expect([child, sibling, pool].map((scope) => scope.status())).toEqual(Array(3).fill('completed'))
  })

  it('a child that is resumed below a paused parent still waits for its parent', async () => {
    const { governor } = createGovernorFixture()
    const parent = await governor.open({ name: 'parent' })
    const child = await parent.open({ name: 'child' })
    await child.pause()
    await parent.pause()
    await child.resume()
    await expect(child.callTool(read, () => 1)).rejects.toMatchObject({ code: 'scope_paused' })
    await parent.resume()
    expect(await child.callTool(read, () => 1)).toMatchObject({ value: 1 })
  })

  it('closing a sibling wakes all callers waiting for its room', async () => {
    const { governor, clock } = createGovernorFixture()
    const pool = await governor.open({ name: 'pool', limits: { tokens: 100 } })
    const holder = await pool.open({ name: 'holder' })
    const room = await mustReserve(holder, { tokens: 90 })
    const waiting = pool.reserve({ tokens: 60 })
    const behind = pool.reserve({ tokens: 30 })
    await settleDown()
    await holder.stop()
    await room.release()
    expect([await waiting, await behind]).toMatchObject([{ kind: 'granted' }, { kind: 'granted' }])
    expect(clock.pendingTimers).toBe(0)
  })
})
