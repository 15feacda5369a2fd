import { describe, expect, it } from 'vitest'
import { createGovernorFixture, mustReserve, settleDown } from '../fixtures/governor.fixture.ts'
import { modelCall, TEST_PRICES, writesAll } from '../fixtures/model.fixture.ts'
import type { Scope } from '../governor.ts'

const HOUR_MS = 3_600_000

async function exhausted(limits = { toolCalls: 2 }) {
  const fixture = createGovernorFixture()
  const run = await fixture.governor.open({ name: 'run', limits, onLimit: 'ask' })
  for (let call = 0; call < 2; call++) await run.callTool({ name: 'read' }, () => call)
  return { ...fixture, run }
}

function third(run: Scope) {
  return run.callTool({ name: 'read' }, () => 'third')
}

describe('ask', () => {
  it('E3: waits with its clocks stopped, and continues with exactly what was approved', async () => {
    const { governor, clock, run, emitted } = await exhausted()
    const call = third(run)
    await settleDown()
    expect(run.status()).toBe('paused')
    const [request] = await governor.requests()
    expect(request).toMatchObject({
      meter: 'toolCalls',
      limit: 2,
      settled: 2,
      asked: 5,
      status: 'open',
      scopeId: run.id,
    })
    await clock.advance(60_000)
    expect((await run.usage()).time.settled).toBe(0)
    expect(await governor.approve(request!.id, { amount: 3, by: 'ann' })).toMatchObject({
      status: 'approved',
      granted: 3,
    })
    expect(await call).toMatchObject({ value: 'third' })
    expect(run.status()).toBe('running')
    expect((await run.usage()).toolCalls).toMatchObject({ limit: 5, settled: 3, remaining: 2 })
    expect(await emitted('increase_requested')).toMatchObject([{ request: request!.id, asked: 5 }])
    expect(await emitted('increase_granted')).toMatchObject([{ granted: 3, by: 'ann', ts: '2026-01-01T00:01:00.000Z' }])
    expect(run.explain()).toMatchObject([{ meter: 'toolCalls', max: 5 }])
  })

  it('E3: approved without an amount, grants exactly what was shown, which lasts beyond the next call', async () => {
    const { governor, run, emitted } = await exhausted({ toolCalls: 2 })
    const call = third(run)
    await settleDown()
    const { id, asked } = (await governor.requests())[0]!
    expect(asked).toBeGreaterThan(1)
    expect(await governor.approve(id, { by: 'ann' })).toMatchObject({ asked, granted: asked })
    await call
    expect((await run.usage()).toolCalls).toMatchObject({ limit: 2 + asked, settled: 3 })
    for (let more = 1; more < asked; more++) expect(await third(run)).toMatchObject({ value: 'third' })
    expect(await emitted('increase_requested')).toHaveLength(1)
  })

  it('E3: asks for a fifth of a cost limit, as a figure that is displayed exactly, or for what the call needs', async () => {
    const { governor } = createGovernorFixture({ prices: TEST_PRICES })
    const askedBy = async (cost: number, inputTokens: number) => {
      const run = await governor.open({ name: 'run', limits: { cost }, onLimit: 'ask' })
      await (await mustReserve(run, { cost: cost * 1_000_000_000 })).settle()
      const call = run.callModel(modelCall(inputTokens, 10), writesAll(inputTokens))
      await settleDown()
      const request = (await governor.requests())[0]!
      expect(await governor.approve(request.id)).toMatchObject({ granted: request.asked })
      expect(await call).toHaveProperty('value')
      return request.asked
    }
    expect(await askedBy(1, 12_345)).toBe(200_000_000)
    expect(await askedBy(1, 345_678)).toBe(350_000_000)
    expect(await askedBy(0.06, 1)).toBe(12_000_000)
  })

  it('E3: asks for no more than its ceiling and the scopes above allow', async () => {
    const { governor } = createGovernorFixture()
    const pool = await governor.open({ name: 'pool', limits: { toolCalls: 103 } })
    const ceiling = { layer: 'ceiling', limits: { toolCalls: 102 } } as const
    const askedBy = async (name: string, layers: readonly (typeof ceiling)[] = []) => {
      const child = await pool.open({ name, limits: { toolCalls: 100 }, onLimit: 'ask', layers })
      await (await mustReserve(child, { toolCalls: 100 })).settle()
      const call = third(child)
      await settleDown()
      const request = (await governor.requests()).find(({ scopeId }) => scopeId === child.id)!
      await governor.approve(request.id)
      await call
      return request.asked
    }
    expect(await askedBy('child')).toBe(3)
    await pool.setLimits({ toolCalls: 900 })
    expect(await askedBy('other', [ceiling])).toBe(2)
    expect(await askedBy('third')).toBe(20)
  })

  it('E3: ends if it is denied, with the name of the person', async () => {
    const { governor, run, emitted } = await exhausted()
    const call = third(run)
    await settleDown()
    await governor.deny((await governor.requests())[0]!.id, { by: 'bob' })
    expect(await call).toMatchObject({ kind: 'refused', breach: { meter: 'toolCalls', action: 'ask' } })
    expect(await emitted('increase_denied')).toMatchObject([{ by: 'bob' }])
    expect(await third(run)).toMatchObject({ kind: 'refused' })
    expect(await governor.requests()).toEqual([])
    await run.close()
    expect(run.status()).toBe('limit-reached')
  })

  it('E3: ends if there is no answer within an hour', async () => {
    const { clock, run, emitted } = await exhausted()
    const call = third(run)
    await settleDown()
    await clock.advance(HOUR_MS)
    expect(await call).toMatchObject({ kind: 'refused' })
    expect(await emitted('increase_expired')).toHaveLength(1)
    await run.close()
    expect(run.status()).toBe('limit-reached')
  })

  it('refuses an answer to a request that is not open', async () => {
    const { governor, run } = await exhausted()
    void third(run)
    await settleDown()
    const { id } = (await governor.requests())[0]!
    await governor.approve(id)
    await expect(governor.approve(id)).rejects.toMatchObject({ code: 'unknown_request' })
    await expect(governor.deny('none')).rejects.toMatchObject({ code: 'unknown_request' })
  })

  it('never grants more than the scopes above have left', async () => {
    const { governor } = createGovernorFixture()
    const pool = await governor.open({ name: 'pool', limits: { tokens: 150 } })
    const child = await pool.open({ name: 'child', limits: { tokens: 100 }, onLimit: 'ask' })
    await (await mustReserve(child, { tokens: 100 })).settle()
    const request = await child.requestIncrease({ meter: 'tokens', amount: 500, reason: 'more files than expected' })
    expect(request).toMatchObject({ settled: 100, limit: 100, asked: 500, reason: 'more files than expected' })
    expect(await governor.approve(request.id)).toMatchObject({ granted: 50 })
    expect((await child.usage()).tokens).toMatchObject({ limit: 150, remaining: 50 })
  })

  it('E9: 20 children that reach the pool’s limit make one request, and share exactly what is approved', async () => {
    const { governor, emitted } = createGovernorFixture()
    const pool = await governor.open({ name: 'pool', limits: { toolCalls: 1 }, onLimit: 'ask' })
    const children = await Promise.all(Array.from({ length: 20 }, (_, index) => pool.open({ name: `child-${index}` })))
    await pool.callTool({ name: 'read' }, () => 0)
    let ran = 0
    const calls = children.map((child) => child.callTool({ name: 'read' }, () => ++ran))
    await settleDown()
    expect(await governor.requests()).toHaveLength(1)
    await governor.approve((await governor.requests())[0]!.id, { amount: 7, by: 'ann' })
    await settleDown()
    expect(ran).toBe(7)
    expect((await pool.usage()).toolCalls).toMatchObject({ limit: 8, settled: 8 })
    expect(await governor.requests()).toHaveLength(1)
    await governor.deny((await governor.requests())[0]!.id)
    const outcomes = await Promise.all(calls)
    expect(outcomes.filter((outcome) => outcome.kind === 'done')).toHaveLength(7)
    expect(await emitted('increase_requested')).toHaveLength(2)
  })

  it('a lasting budget that asks pauses the run that it refused', async () => {
    const { governor } = createGovernorFixture()
    const team = await governor.budget('team:core', { limits: { toolCalls: { max: 1, action: 'ask' } } })
    const run = await governor.open({ name: 'run', within: team })
    await run.callTool({ name: 'read' }, () => 1)
    const call = run.callTool({ name: 'read' }, () => 2)
    await settleDown()
    expect(run.status()).toBe('paused')
    expect(await governor.requests()).toMatchObject([{ scopeId: 'team:core' }])
    await governor.approve((await governor.requests())[0]!.id)
    expect(await call).toMatchObject({ value: 2 })
    expect(run.status()).toBe('running')
  })

  it('ends with the scope that asks', async () => {
    const { governor, run } = await exhausted()
    const call = third(run)
    await settleDown()
    await run.stop()
    expect(await call).toMatchObject({ kind: 'refused' })
    expect(await governor.requests()).toEqual([])
  })

  it('a clock that asks is stopped until it is answered: more time, or the end', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { time: '10s' }, onLimit: 'ask' })
    await clock.advance(15_000)
    expect([run.status(), (await run.usage()).time.settled]).toEqual(['paused', 10_000])
    expect(await governor.requests()).toMatchObject([{ meter: 'time', asked: 2_000 }])
    await governor.approve((await governor.requests())[0]!.id, { amount: 5_000 })
    expect(run.status()).toBe('running')
    await clock.advance(5_000)
    expect(run.status()).toBe('paused')
    await governor.deny((await governor.requests())[0]!.id)
    await settleDown()
    expect(run.signal.aborted).toBe(true)
    await run.close()
    expect(run.status()).toBe('limit-reached')
  })
})
