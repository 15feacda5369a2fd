import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../stores/memory/index.ts'
import { createGovernorFixture } from '../fixtures/governor.fixture.ts'
import { answer, answerFrom, deferred, modelCall, TEST_PRICES, writesAll } from '../fixtures/model.fixture.ts'

const create = (options = {}) => createGovernorFixture({ prices: TEST_PRICES, ...options })

const lost = (code = 'ECONNRESET') => Object.assign(new Error('socket hang up'), { code })
const breaks = (code?: string) => () => Promise.reject(lost(code))

describe('a call that was cut', () => {
  it('is assumed at its worst case, reported as such, and can be corrected', async () => {
    const store = createMemoryStore()
    const { governor, emitted } = create({ store })
    const run = await governor.open({ name: 'run', limits: { cost: 1 } })
    await run.callModel(modelCall(100, 50), async () => answer(100, 10))
    await expect(run.callModel(modelCall(100, 50), breaks())).rejects.toThrow('socket hang up')
    const worst = 100 * 1_000 + 50 * 5_000
    const known = 100 * 1_000 + 10 * 5_000
    expect((await run.usage()).cost).toMatchObject({ settled: known + worst, assumed: worst, reserved: 0 })
    expect((await run.usage()).cost.windows).toMatchObject([{ settled: known + worst, assumed: worst }])
    expect(await emitted('call_settled')).toHaveLength(1)
    const [event] = await emitted('reservation_assumed')
    expect(event).toMatchObject({ call: 'model', call_name: 'test-model', charged: { modelCalls: 1, cost: worst } })
    const [assumed] = await store.reservations({ state: 'assumed' })
    await store.settle({ reservationId: assumed!.id, actual: { tokens: 110, cost: known }, by: 'ann', atMs: 0 })
    expect((await run.usage()).cost).toMatchObject({ settled: 2 * known, assumed: 0 })
  })

  it('is charged the reported prompt, and the whole cap for the rest', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    const cut = run.callModel({ ...modelCall(1_000, 50), model: 'caching-model' }, async ({ report }) => {
      report({ usage: { inputTokens: 100, cacheReadTokens: 700 } })
      throw lost()
    })
    await expect(cut).rejects.toThrow('socket hang up')
    const { tokens, cost } = await run.usage()
    expect(tokens).toMatchObject({ settled: 850, assumed: 850 })
    expect(cost).toMatchObject({ settled: 100 * 1_000 + 700 * 100 + 50 * 5_000 })
  })

  it('is charged its whole worst case if provider-run tools reread the prompt', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    const cut = run.callModel(modelCall(1_000, 50, { webSearches: 2 }), async ({ report }) => {
      report({ usage: { inputTokens: 100 } })
      throw lost()
    })
    await expect(cut).rejects.toThrow('socket hang up')
    expect((await run.usage()).tokens).toMatchObject({ settled: 1_050, assumed: 1_050 })
  })

  it('is not assumed if its whole usage was reported before', async () => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run' })
    const late = run.callModel(modelCall(100, 50), async ({ report }) => {
      report({ usage: { inputTokens: 90, outputTokens: 20 } })
      throw new Error('cannot parse the answer')
    })
    await expect(late).rejects.toThrow('cannot parse')
    expect((await run.usage()).tokens).toMatchObject({ settled: 110, assumed: 0 })
    expect(await emitted('reservation_assumed')).toEqual([])
  })

  it('is assumed if the answer itself says that it broke off', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    await run.callModel(modelCall(100, 50), async () => ({ value: null, usage: { inputTokens: 90 }, isCut: true }))
    expect((await run.usage()).tokens).toMatchObject({ settled: 140, assumed: 140 })
  })

  it('is charged the counted tool calls, or the reserved ones if none were counted', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { toolCalls: 9 } })
    const call = modelCall(100, 50, { toolCalls: 3 })
    const cut = run.callModel(call, async ({ report }) => {
      report({ toolCalls: 0 })
      throw new Error('cut')
    })
    await expect(cut).rejects.toThrow('cut')
    expect((await run.usage()).toolCalls).toMatchObject({ settled: 0, reserved: 0, assumed: 0 })
    await expect(run.callModel(call, () => Promise.reject(new Error('cut')))).rejects.toThrow('cut')
    expect((await run.usage()).toolCalls).toMatchObject({ settled: 3, reserved: 0, assumed: 3 })
  })

  it.each(['stop', 'time'] as const)('by a %s is assumed, and a run that ends so is not paused', async (by) => {
    const { governor, clock, emitted } = create({ graceMs: 1_000 })
    const run = await governor.open({ name: 'run', limits: by === 'time' ? { time: '10s' } : {} })
    const call = run.callModel(modelCall(100, 50), ({ signal }) => {
      return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(lost())))
    })
    await clock.advance(1)
    if (by === 'stop') await run.stop('called off')
    else await clock.advance(11_000)
    expect(await call).toMatchObject({ kind: 'stopped' })
    expect((await run.usage()).tokens).toMatchObject({ settled: 150, assumed: 150 })
    expect(await emitted('agent_paused')).toEqual([])
  })

  it('is released if it turns out later that nothing was sent', async () => {
    const { governor, clock } = create({ graceMs: 1_000 })
    const run = await governor.open({ name: 'run', limits: { wallTime: '10s' } })
    const running = deferred<never>()
    const call = run.callModel(modelCall(100, 50), () => running.promise)
    await clock.advance(11_000)
    expect(await call).toMatchObject({ abandoned: true })
    expect((await run.usage()).tokens.settled).toBe(150)
    running.reject(lost('ECONNREFUSED'))
    await expect.poll(async () => (await run.usage()).tokens.settled).toBe(0)
    expect((await run.usage()).modelCalls).toMatchObject({ settled: 0, assumed: 0 })
  })
})

describe('an upstream that leaves calls without an end', () => {
  it('twice in a row pauses the run that called, and nothing above it', async () => {
    const { governor, emitted } = create()
    const team = await governor.budget('team:core')
    const run = await governor.open({ name: 'run', within: team })
    await expect(run.callModel(modelCall(100, 50), breaks())).rejects.toThrow('socket hang up')
    expect(run.status()).toBe('running')
    const gateway = () => Promise.reject(Object.assign(new Error('Gateway time-out'), { status: 504 }))
    await expect(run.callModel(modelCall(100, 50), gateway)).rejects.toThrow('Gateway time-out')
    expect([run.status(), team.status()]).toEqual(['paused', 'running'])
    expect(await emitted('agent_paused')).toMatchObject([
      { reason: expect.stringContaining('left 2 calls in a row unfinished (Gateway time-out)') },
    ])
    await expect(run.callModel(modelCall(100, 50), writesAll(100))).rejects.toMatchObject({ code: 'scope_paused' })
    await run.resume()
    expect(answerFrom(await run.callModel(modelCall(100, 50), writesAll(100)))).not.toBe(null)
    expect((await run.usage()).modelCalls).toMatchObject({ settled: 3, assumed: 2 })
  })

  it('with an answer in between pauses nothing, even with a refusal in between', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    for (const between of [
      writesAll(100),
      () => Promise.reject(Object.assign(new Error(), { status: 529, headers: {} })),
    ]) {
      await run.callModel(modelCall(100, 50), breaks()).catch(() => {})
      await run.callModel(modelCall(100, 50), between).catch(() => {})
    }
    await run.callModel(modelCall(100, 50), breaks()).catch(() => {})
    expect(run.status()).toBe('running')
  })

  it('pauses nothing because of the caller: an abort, or its own error', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    for (let call = 0; call < 3; call++) {
      await run.callModel(modelCall(100, 50), () => Promise.reject(new Error('cannot parse'))).catch(() => {})
      const caller = new AbortController()
      const aborted = run.callModel(modelCall(100, 50, { signal: caller.signal }), async () => {
        caller.abort()
        throw lost()
      })
      await aborted.catch(() => {})
    }
    expect(run.status()).toBe('running')
    expect((await run.usage()).modelCalls).toMatchObject({ settled: 6, assumed: 6 })
  })

  it('never pauses a shared scope', async () => {
    const { governor } = create()
    const team = await governor.budget('team:core')
    for (let call = 0; call < 3; call++) await team.callModel(modelCall(100, 50), breaks()).catch(() => {})
    expect(team.status()).toBe('running')
  })

  it('fails the run if it cannot be paused', async () => {
    const store = createMemoryStore()
    const pause = () => Promise.reject(new Error('no pauses here'))
    const { governor, emitted } = create({ store: { ...store, pause } })
    const run = await governor.open({ name: 'run' })
    for (let call = 0; call < 2; call++) await run.callModel(modelCall(100, 50), breaks()).catch(() => {})
    expect(run.status()).toBe('failed')
    expect(await emitted('agent_failed')).toMatchObject([{ error: expect.stringContaining('unfinished') }])
  })
})
