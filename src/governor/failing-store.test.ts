import { describe, expect, it } from 'vitest'
import { type LedgerStore, StintError } from '../core/index.ts'
import { createMemoryStore } from '../stores/memory/index.ts'
import { createGovernorFixture, isPending, mustReserve, settleDown } from './fixtures/governor.fixture.ts'
import { answerFrom, modelCall, TEST_PRICES, writesAll } from './fixtures/model.fixture.ts'
import { createTroubledStore } from './fixtures/troubled-store.fixture.ts'

const BROKEN = 'The store did not answer'

/** A governor whose store can be made to fail, one operation at a time. */
function createFailingFixture() {
  const broken = new Set<keyof LedgerStore>()
  const failing = createTroubledStore((name) => ({ turnsBefore: 0, turnsAfter: 0, fails: broken.has(name) }))
  return { ...createGovernorFixture({ store: failing, prices: TEST_PRICES }), broken }
}

describe('a store that fails', () => {
  it('at the end of a scope: the scope still ends, and nothing waits for it', async () => {
    const { governor, broken, clock } = createFailingFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100, time: '1h' } })
    const child = await run.open({ name: 'child', limits: { time: '1h' } })
    await mustReserve(run, { tokens: 90 })
    const waiting = child.reserve({ tokens: 50 })
    await settleDown()
    broken.add('close')
    await expect(run.stop()).rejects.toThrow(BROKEN)
    await expect(waiting).rejects.toMatchObject({ code: 'scope_closed' })
    expect([run.status(), child.status()]).toEqual(['stopped', 'stopped'])
    expect([run.signal.aborted, child.signal.aborted]).toEqual([true, true])
    expect(clock.pendingTimers).toBe(0)
  })

  it('at the end of one scope does not keep the governor from ending the others', async () => {
    const { governor, broken } = createFailingFixture()
    const runs = [await governor.open({ name: 'one' }), await governor.open({ name: 'two' })]
    broken.add('close')
    await expect(governor.close()).rejects.toThrow(BROKEN)
    expect(runs.map((run) => run.status())).toEqual(['stopped', 'stopped'])
  })

  it('when a closing call is admitted: it may be retried', async () => {
    const { governor, broken } = createFailingFixture()
    const run = await governor.open({ name: 'run', limits: { modelCalls: 3 }, wrapUp: true })
    for (let call = 0; call < 3; call++) await run.callModel(modelCall(10, 10), writesAll(10))
    broken.add('reserve')
    await expect(run.callWrapUp(modelCall(10, 10), writesAll(10))).rejects.toThrow(BROKEN)
    broken.clear()
    expect(answerFrom(await run.callWrapUp(modelCall(10, 10), writesAll(10)))).not.toBe(null)
  })

  it('at any step of a call leaves no wait, no timer and no activity behind', async () => {
    for (const operation of ['reserve', 'settle', 'hold', 'release'] as const) {
      const { governor, broken, clock } = createFailingFixture()
      const parent = await governor.open({ name: 'parent', limits: { tokens: 5_000 } })
      const child = await parent.open({ name: 'child', wrapUp: true, needs: { tokens: 10 } })
      const before = clock.pendingTimers
      broken.add(operation)
      const refused = () => Promise.reject(Object.assign(new Error(), { status: 429, headers: {} }))
      const unsent = () => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }))
      await child.callModel(modelCall(10, 10), writesAll(10)).catch(() => null)
      await child.callModel(modelCall(10, 10), refused).catch(() => null)
      await child.callModel(modelCall(10, 10), unsent).catch(() => null)
      await child.callTool({ name: 'read', timeoutMs: 1_000 }, () => 1).catch(() => null)
      broken.clear()
      expect(clock.pendingTimers).toBe(before)
      await child.pause()
      await clock.advance(1_000)
      expect((await parent.usage()).time.settled).toBe(0)
    }
  })

  it('during a wait: the wait ends with the error, and callers behind it move up', async () => {
    const { governor, broken } = createFailingFixture()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    const room = await mustReserve(run, { tokens: 90 })
    const first = expect(run.reserve({ tokens: 50 })).rejects.toThrow(BROKEN)
    await settleDown()
    broken.add('reserve')
    await room.settle({ tokens: 10 })
    await first
    broken.clear()
    const second = run.reserve({ tokens: 50 })
    expect(await isPending(second)).toBe(false)
  })

  it('permanently, because its ledger was replaced: a call in flight keeps its answer, and close() reports the loss', async () => {
    const replaced = new StintError('ledger_replaced', 'The ledger was replaced.')
    let isReplaced = false
    const store = createMemoryStore({ isShared: true })
    const operations = Object.entries(store).filter(([, operate]) => typeof operate === 'function')
    const losing = operations.map(([name, operate]) => [
      name,
      async (request: never) => {
        if (isReplaced && name !== 'dispose') throw replaced
        return operate(request)
      },
    ])
    const { governor, clock } = createGovernorFixture({
      store: { isShared: true, ...Object.fromEntries(losing), onAlert: store.onAlert } as LedgerStore,
      prices: TEST_PRICES,
    })
    const run = await governor.open({ name: 'run', limits: { tokens: 10_000 } })
    const room = await mustReserve(run, { tokens: 5 })
    const answer = await run.callModel(modelCall(10, 10), async () => {
      isReplaced = true
      return { value: { text: 'an answer' }, usage: { inputTokens: 10, outputTokens: 3 } }
    })
    expect(answer).toMatchObject({ kind: 'done', value: { text: 'an answer' } })
    await room.settle({ tokens: 5 })
    await expect(run.reserve({ tokens: 1 })).rejects.toBe(replaced)
    await expect(run.callTool({ name: 'read' }, () => 1)).rejects.toBe(replaced)
    await expect(governor.close()).rejects.toBe(replaced)
    expect(run.status()).toBe('stopped')
    await clock.advance(60_000)
    isReplaced = false
    expect(await store.reservations({ state: 'open' })).toHaveLength(2)
  })
})
