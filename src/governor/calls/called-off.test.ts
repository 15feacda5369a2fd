import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../stores/memory/index.ts'
import type { ModelGrant } from '../call.ts'
import { createGovernorFixture, mustReserve, settleDown } from '../fixtures/governor.fixture.ts'
import { answer, modelCall, TEST_PRICES, writesAll } from '../fixtures/model.fixture.ts'
import { createLateStore } from '../fixtures/store-wire.fixture.ts'
import type { Scope } from '../governor.ts'

const create = (options = {}) => createGovernorFixture({ prices: TEST_PRICES, ...options })

const LIMITS = { modelCalls: 5, tokens: 10_000, toolCalls: 5 }

async function demandNothingSpent(run: Scope): Promise<void> {
  const { modelCalls, tokens, toolCalls } = await run.usage()
  for (const meter of [modelCalls, tokens, toolCalls]) expect(meter).toMatchObject({ settled: 0, reserved: 0 })
}

describe('a caller that goes away', () => {
  const gone = AbortSignal.abort(new Error('the user left'))

  it('before the request: nothing is sent or charged', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: LIMITS, wrapUp: true })
    let sent = 0
    const send = async () => answer(1, ++sent)
    const notSent = { code: 'call_not_sent', cause: { message: 'the user left' } }
    await expect(run.callModel(modelCall(10, 10, { signal: gone }), send)).rejects.toMatchObject(notSent)
    await expect(run.callTool({ name: 'read', signal: gone }, () => ++sent)).rejects.toMatchObject(notSent)
    await expect(run.callWrapUp(modelCall(10, 10, { signal: gone }), send)).rejects.toMatchObject(notSent)
    expect(sent).toBe(0)
    await demandNothingSpent(run)
    expect(await run.callWrapUp(modelCall(10, 10), send)).toMatchObject({ kind: 'done', value: {} })
  })

  it('during admission: nothing is sent, and the room is released', async () => {
    const late = createLateStore(createMemoryStore())
    const { governor } = create({ store: late.store })
    const run = await governor.open({ name: 'run', limits: LIMITS })
    for (const ask of [
      (signal: AbortSignal) => run.callModel(modelCall(10, 10, { signal }), writesAll(10)),
      (signal: AbortSignal) => run.callTool({ name: 'read', signal }, () => 1),
      (signal: AbortSignal) => run.callWrapUp(modelCall(10, 10, { signal }), writesAll(10)),
    ]) {
      const caller = new AbortController()
      const reserving = late.holdNext('reserve')
      const asked = expect(ask(caller.signal)).rejects.toMatchObject({ code: 'call_not_sent' })
      await settleDown()
      caller.abort()
      reserving.let()
      await asked
    }
    await demandNothingSpent(run)
  })

  it('while waiting: the wait ends, and no limit acts because of it', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { tokens: 100 } })
    const inFlight = await mustReserve(run, { tokens: 90 })
    const caller = new AbortController()
    const call = modelCall(50, 10, { signal: caller.signal })
    const waiting = expect(run.callModel(call, writesAll(50))).rejects.toMatchObject({ code: 'call_not_sent' })
    await settleDown()
    caller.abort()
    await waiting
    await inFlight.release()
    expect(await run.callModel(modelCall(50, 10), writesAll(50))).toMatchObject({ value: {} })
  })
})

describe('a scope that must stop while a call is being admitted', () => {
  it('neither sends nor runs it: the room is released, and the outcome says what stopped it', async () => {
    for (const ask of [
      (run: Scope, onRun: () => void) =>
        run.callModel(modelCall(10, 10), async () => ({ value: onRun(), usage: null })),
      (run: Scope, onRun: () => void) => run.callTool({ name: 'read' }, onRun),
      (run: Scope, onRun: () => void) => run.callTool({ name: 'write', changes: true }, onRun),
    ]) {
      const late = createLateStore(createMemoryStore())
      const { governor, clock } = create({ store: late.store })
      const run = await governor.open({ name: 'run', limits: { ...LIMITS, time: '10s' } })
      let runs = 0
      const reserving = late.holdNext('reserve')
      const asked = ask(run, () => runs++)
      await clock.advance(10_000)
      reserving.let()
      expect(await asked).toMatchObject({
        kind: 'stopped',
        abandoned: false,
        mayBeHalfDone: false,
        by: { meter: 'time' },
      })
      expect(runs).toBe(0)
      await demandNothingSpent(run)
    }
  })
})

describe('a call that obeys its signal', () => {
  const heed = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const stopped = { kind: 'stopped', abandoned: false, by: null }

  it('has the same outcome as one that ignores it: stopped by a person', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    const calls = [run.callModel(modelCall(100, 50), heed), run.callTool({ name: 'read' }, heed)]
    await settleDown()
    await run.stop('enough')
    for (const call of calls) expect(await call).toMatchObject(stopped)
  })

  it('… by the end of a scope above it', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    const child = await run.open({ name: 'child' })
    const calls = [child.callModel(modelCall(100, 50), heed), child.callTool({ name: 'read' }, heed)]
    await settleDown()
    await run.close()
    for (const call of calls) expect(await call).toMatchObject(stopped)
  })

  it('… by its own timeout', async () => {
    const { governor, clock } = create({ graceMs: 1_000 })
    const run = await governor.open({ name: 'run' })
    const heeds = run.callTool({ name: 'slow', timeoutMs: 50 }, heed)
    const ignores = run.callTool({ name: 'deaf', timeoutMs: 50 }, () => new Promise<never>(() => {}))
    await clock.advance(50)
    expect(await heeds).toMatchObject(stopped)
    await clock.advance(1_000)
    expect(await ignores).toMatchObject({ ...stopped, abandoned: true })
  })

  it('rethrows its own error', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    const broken = async (_: ModelGrant) => Promise.reject(new Error('no such model'))
    await expect(run.callModel(modelCall(100, 50), broken)).rejects.toThrow('no such model')
  })
})
