import { describe, expect, it } from 'vitest'
import type { LedgerStore } from '../../../core/index.ts'
import { createMemoryStore } from '../../../stores/memory/index.ts'
import { createGovernor } from '../../create-governor.ts'
import { createGovernorFixture, isPending, mustReserve, settleDown } from '../../fixtures/governor.fixture.ts'
import { nextTurn } from '../../fixtures/troubled-store.fixture.ts'

describe('waiting callers', () => {
  it('are not overtaken by a later caller for the same room', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    const held = await mustReserve(run, { tokens: 60 })
    const large = run.reserve({ tokens: 80 })
    await settleDown()
    const small = run.reserve({ tokens: 10 })
    expect([await isPending(large), await isPending(small)]).toEqual([true, true])
    await held.release()
    expect([(await large).kind, (await small).kind]).toEqual(['granted', 'granted'])
  })

  it('are kept with how long they waited', async () => {
    const store = createMemoryStore()
    const { governor, clock } = createGovernorFixture({ store })
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    const held = await mustReserve(run, { tokens: 60 })
    const large = run.reserve({ tokens: 80 })
    await settleDown()
    await clock.advance(1_500)
    await held.release()
    expect((await large).kind).toBe('granted')
    const [waited] = await store.reservations({ state: 'open' })
    expect(waited?.about?.waitedMs).toBe(1_500)
  })

  it('do not delay callers that need something else, or do not wait', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100, toolCalls: 5 } })
    await mustReserve(run, { tokens: 60 })
    void run.reserve({ tokens: 80 })
    await settleDown()
    expect((await run.reserve({ toolCalls: 1 })).kind).toBe('granted')
    expect((await run.reserve({ tokens: 10 }, { waitMs: 0 })).kind).toBe('granted')
  })

  it('for an outer scope are served before a later caller in an inner one', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    const child = await run.open({ name: 'child', limits: { tokens: 50 } })
    const held = await mustReserve(run, { tokens: 70 })
    const outer = run.reserve({ tokens: 90 })
    await settleDown()
    const inner = child.reserve({ tokens: 20 })
    await held.release()
    expect((await outer).kind).toBe('granted')
    expect(await isPending(inner)).toBe(true)
  })

  it('move up when the one in front gives up', async () => {
    const { governor, clock } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    await mustReserve(run, { tokens: 60 })
    const large = run.reserve({ tokens: 80 }, { waitMs: 1_000 })
    await settleDown()
    const small = run.reserve({ tokens: 10 })
    await clock.advance(1_000)
    expect((await large).kind).toBe('refused')
    expect((await small).kind).toBe('granted')
  })

  it('are refused when the scope above them is halted by another call', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100, toolCalls: 0 } })
    const child = await run.open({ name: 'child' })
    await mustReserve(run, { tokens: 60 })
    const waiting = child.reserve({ tokens: 80 })
    await settleDown()
    await run.callTool({ name: 'read' }, () => 1)
    expect(await waiting).toMatchObject({ kind: 'refused', breach: { meter: 'toolCalls', scope: run.id } })
  })

  it('try again one by one, not all of them each time that one is served', async () => {
    const store = createMemoryStore()
    let asks = 0
    const reserve: LedgerStore['reserve'] = (request) => {
      asks++
      return store.reserve(request)
    }
    const governor = createGovernor({ store: { ...store, reserve } })
    const run = await governor.open({ name: 'run', limits: { tokens: 1_000_000 } })
    const all = await run.reserve({ tokens: 1_000_000 })
    const order: number[] = []
    const waiting = Array.from({ length: 2_000 }, async (_, index) => {
      // There is room for one at a time, and it stays taken until all the others have asked.
      const outcome = await run.reserve({ tokens: 600_000 })
      order.push(index)
      await nextTurn()
      if (outcome.kind === 'granted') await outcome.settle({ tokens: 1 })
    })
    await settleDown()
    if (all.kind === 'granted') await all.settle({ tokens: 0 })
    await Promise.all(waiting)
    expect(asks).toBeLessThan(5 * waiting.length)
    expect(order).toEqual(order.toSorted((left, right) => left - right))
    expect((await run.usage()).tokens.settled).toBe(waiting.length)
    await governor.close()
  })
})
