import { describe, expect, it } from 'vitest'
import type { Amounts } from '../../core/index.ts'
import { createPriceBook, parsePrices } from '../../pricing/index.ts'
import { breachIn, createGovernorFixture, isPending, mustReserve, settleDown } from '../fixtures/governor.fixture.ts'
import { answer, answerFrom, deferred, modelCall, TEST_PRICES, writesAll } from '../fixtures/model.fixture.ts'

const create = (options = {}) => createGovernorFixture({ prices: TEST_PRICES, ...options })

describe('callModel charges', () => {
  it('A9, A13: each meter what it counts, and cache reads and writes separately', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { cost: 1, outputTokens: 1_500 } })
    const usage = { inputTokens: 500, outputTokens: 100, cacheReadTokens: 1_000, cacheWriteTokens: 400 }
    await run.callModel(modelCall(2_000, 1_000, { model: 'caching-model', cacheMark: '5m' }), async () => ({
      value: null,
      usage,
    }))
    const { tokens, outputTokens, uncachedTokens, cost, modelCalls } = await run.usage()
    expect([tokens.settled, outputTokens.settled, uncachedTokens.settled]).toEqual([2_000, 100, 1_000])
    expect(cost.settled).toBe(500 * 1_000 + 100 * 5_000 + 1_000 * 100 + 400 * 1_250)
    expect(modelCalls.settled).toBe(1)
  })

  it('A9: 2,000 in and 100 out fit into 1,500 output tokens, but not into 1,500 tokens', async () => {
    const { governor } = create()
    const outputs = await governor.open({ name: 'outputs', limits: { outputTokens: 1_500 } })
    expect(answerFrom(await outputs.callModel(modelCall(2_000, 100), writesAll(2_000)))).not.toBe(null)
    const tokens = await governor.open({ name: 'tokens', limits: { tokens: 1_500 } })
    expect(await tokens.callModel(modelCall(2_000, 100), writesAll(2_000))).toMatchObject({
      kind: 'refused',
      breach: { meter: 'tokens' },
    })
  })

  it('the worst case if the answer does not report its usage', async () => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run' })
    await run.callModel(modelCall(100, 50), async () => ({ value: 'an answer', usage: null }))
    expect((await run.usage()).tokens).toMatchObject({ settled: 150, reserved: 0 })
    expect(await emitted('usage_anomaly')).toEqual([])
  })

  it.each([
    [{ value: 'an answer', useage: { inputTokens: 1 } }, 'The answer has no usage: value, useage'],
    ['an answer', 'The answer has no usage: string'],
  ])('the worst case if its usage is misspelled, with an anomaly: %j', async (misspelt, value) => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run' })
    // @ts-expect-error: the result of `run` needs a usage.
    await run.callModel(modelCall(100, 50), async () => misspelt)
    expect((await run.usage()).tokens).toMatchObject({ settled: 150, reserved: 0 })
    expect(await emitted('usage_anomaly')).toMatchObject([{ meter: 'usage', value, charged: 150 }])
  })

  it('the cap if only the output is missing', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    await run.callModel(modelCall(100, 50), async () => ({ value: null, usage: { inputTokens: 90 } }))
    expect((await run.usage()).tokens.settled).toBe(140)
  })

  it.each([
    ['outputTokens', { inputTokens: 1, outputTokens: -5 }, '-5'],
    ['outputTokens', { inputTokens: 1, outputTokens: Number.NaN }, 'NaN'],
    ['inputTokens', { inputTokens: '7', outputTokens: 1 }, '"7"'],
    ['inputTokens', { inputTokens: 2 ** 53, outputTokens: 1 }, '9007199254740992'],
    ['input_tokens', { input_tokens: 7, output_tokens: 1 }, '7'],
    ['reasoningTokens', { inputTokens: 1, outputTokens: 2, reasoningTokens: 3 }, '3'],
  ])('the worst case if %s is implausible, with an anomaly that names it', async (field, usage, value) => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run', wrapUp: true, limits: { tokens: '100k' } })
    await run.callModel(modelCall(100, 50), async () => ({ value: null, usage: usage as never }))
    expect((await run.usage()).tokens).toMatchObject({ settled: 150, reserved: 0 })
    expect(await emitted('usage_anomaly')).toMatchObject([{ meter: field, value, charged: 150, call: 'model' }])
  })

  it('the worst case if the usage is unreadable, with an anomaly', async () => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run' })
    const usage = Object.defineProperty({ inputTokens: 1 }, 'outputTokens', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    await run.callModel(modelCall(100, 50), async () => ({ value: null, usage }))
    expect((await run.usage()).tokens).toMatchObject({ settled: 150, reserved: 0 })
    expect(await emitted('usage_anomaly')).toMatchObject([{ meter: 'all', value: 'an object' }])
  })

  it('A15: an overrun of one token in full, with a note; nothing is closed, but nothing is left to grant', async () => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run', limits: { tokens: 1_000 } })
    await run.callModel(modelCall(900, 100), async () => answer(900, 101))
    expect((await run.usage()).tokens).toMatchObject({ settled: 1_001, remaining: 0, overrun: 1 })
    expect(await emitted('call_settled')).toMatchObject([{ overrun: { tokens: 1 } }])
    expect(run.status()).toBe('running')
    expect(await run.reserve({ tokens: 1 })).toMatchObject({ kind: 'refused' })
  })

  it('E7: a final answer at the boundary is a completed run with an overrun note', async () => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run', limits: { tokens: 1_000 } })
    await run.callModel(modelCall(900, 100), async () => answer(900, 103))
    await run.close()
    expect(run.status()).toBe('completed')
    expect(await emitted('agent_completed')).toMatchObject([{ overrun: { tokens: 3 } }])
  })

  it('the price with its factor, when reserved and when settled', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { cost: 1 } })
    const priceFactor = { numerator: 3, denominator: 1 }
    const running = deferred<ReturnType<typeof answer>>()
    const call = run.callModel(modelCall(100, 10, { priceFactor }), () => running.promise)
    await settleDown()
    expect((await run.usage()).cost.reserved).toBe(3 * (100 * 1_000 + 10 * 5_000))
    running.resolve(answer(100, 10))
    await call
    expect((await run.usage()).cost.settled).toBe(3 * (100 * 1_000 + 10 * 5_000))
  })
})

describe('callModel, however a call ends,', () => {
  const refused = () => Promise.reject(Object.assign(new Error('overloaded'), { status: 529, headers: {} }))

  it('charges the searches that the answer reports, or the maximum if it reports none', async () => {
    const costWith = async (said: object) => {
      const { governor } = create()
      const run = await governor.open({ name: 'run', limits: { cost: 1 } })
      const usage = { inputTokens: 100, outputTokens: 10 }
      await run.callModel(modelCall(100, 50, { webSearches: 3 }), async () => ({ value: null, usage, ...said }))
      return (await run.usage()).cost.settled
    }
    const [none, one, all] = [
      await costWith({ webSearches: 0 }),
      await costWith({ webSearches: 1 }),
      await costWith({}),
    ]
    expect(one).toBeGreaterThan(none)
    expect(all - none).toBe(3 * (one - none))
    for (const webSearches of [-1, Number.NaN, '1', null]) expect(await costWith({ webSearches })).toBe(all)
  })

  it('releases the room if nothing accepted the request', async () => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run', limits: { modelCalls: 1, tokens: 1_000 } })
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const unsent = () => Promise.reject(new Error('fetch failed', { cause }))
    await expect(run.callModel(modelCall(100, 50), unsent)).rejects.toThrow('fetch failed')
    expect(await emitted('call_settled')).toEqual([])
    expect((await run.usage()).tokens).toMatchObject({ settled: 0, reserved: 0 })
    expect(answerFrom(await run.callModel(modelCall(100, 50), writesAll(100)))).not.toBe(null)
  })

  it('charges the worst case after an error that may have cost something', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    const broken = run.callModel(modelCall(100, 50), () => Promise.reject(new Error('socket hang up')))
    await expect(broken).rejects.toThrow('socket hang up')
    expect((await run.usage()).tokens).toMatchObject({ settled: 150, reserved: 0 })
  })

  it('charges whatever the error, once the first byte has arrived', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    const cut = run.callModel(modelCall(100, 50), ({ firstByte }) => {
      firstByte()
      return refused()
    })
    await expect(cut).rejects.toThrow('overloaded')
    expect((await run.usage()).tokens.settled).toBe(150)
  })

  it('charges the usage reported during the call if it then throws', async () => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run' })
    const late = run.callModel(modelCall(100, 50), async ({ report }) => {
      report({ usage: { inputTokens: 100 } })
      report({ usage: { outputTokens: 20 } })
      throw new Error('cannot parse the answer')
    })
    await expect(late).rejects.toThrow('cannot parse')
    expect((await run.usage()).tokens.settled).toBe(120)
    expect(await emitted('call_settled')).toHaveLength(1)
  })

  it('stops with the scope, and charges once even if the run finishes later', async () => {
    const { governor, clock, emitted } = create({ graceMs: 1_000 })
    const run = await governor.open({ name: 'run', limits: { wallTime: '10s' } })
    const running = deferred<ReturnType<typeof answer>>()
    const call = run.callModel(modelCall(100, 50), () => running.promise)
    await clock.advance(11_000)
    expect(await call).toMatchObject({ kind: 'stopped', abandoned: true, by: { meter: 'wallTime' } })
    expect((await run.usage()).tokens).toMatchObject({ settled: 150, assumed: 150 })
    expect(await emitted('call_settled')).toEqual([])
    running.resolve(answer(100, 1))
    await settleDown()
    expect((await run.usage()).tokens).toMatchObject({ settled: 101, assumed: 0 })
    expect(await emitted('call_settled')).toMatchObject([{ charged: { tokens: 101 } }])
  })

  it('ignores the later failure of an abandoned run', async () => {
    const { governor, clock } = create({ graceMs: 1_000 })
    const run = await governor.open({ name: 'run', limits: { wallTime: '10s' } })
    const running = deferred<never>()
    const call = run.callModel(modelCall(100, 50), () => running.promise)
    await clock.advance(11_000)
    running.reject(new Error('far too late'))
    await settleDown()
    expect(await call).toMatchObject({ abandoned: true })
  })

  it('is charged if a person stops the scope', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run' })
    const call = run.callModel(modelCall(100, 50), ({ signal }) => {
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    await settleDown()
    await run.stop('enough')
    expect(await call).toMatchObject({ kind: 'stopped', abandoned: false, by: null })
    expect((await run.usage()).tokens).toMatchObject({ settled: 150, reserved: 0 })
  })
})

describe('callModel is admitted', () => {
  it('A10: only while the conversation is shorter than the innermost messages limit', async () => {
    const { governor } = create()
    const outer = await governor.open({ name: 'outer', limits: { messages: 5 } })
    const inner = await outer.open({ name: 'inner', limits: { messages: 10 } })
    let requests = 0
    const send = async () => answer(1, ++requests)
    await inner.callModel(modelCall(10, 10, { messages: 9 }), send)
    expect(await inner.callModel(modelCall(10, 10, { messages: 10 }), send)).toMatchObject({
      breach: { meter: 'messages', scope: inner.id },
    })
    expect(requests).toBe(1)
  })

  it('D1: never without a price under a cost limit that a person wrote, even on an outer scope', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { cost: 1 } })
    const child = await run.open({ name: 'child' })
    let requests = 0
    const send = async () => ({ value: ++requests, usage: null })
    for (const unpriced of [{ model: 'nobody-knows-this' }, { price: null }, { model: undefined }]) {
      const call = child.callModel(modelCall(10, 10, unpriced), send)
      await expect(call).rejects.toMatchObject({ code: 'unpriced_model' })
    }
    await expect(child.callModel(modelCall(10, 10, { model: 'nobody-knows-this' }), send)).rejects.toThrow(
      'nobody-knows-this',
    )
    expect(requests).toBe(0)
  })

  it('D2: clamped to what is left, and refused if not even a short answer fits', async () => {
    const { governor, emitted } = create()
    const run = await governor.open({ name: 'run', limits: { cost: 1 } })
    const spent = await run.reserve({ cost: 950_000_000 })
    if (spent.kind === 'granted') await spent.settle()
    const clamped = await run.callModel(modelCall(10_000, 18_000), writesAll(10_000))
    expect(clamped).toMatchObject({ clampedTo: 8_000, value: { usage: { outputTokens: 8_000 } } })
    expect(await emitted('call_clamped')).toMatchObject([{ asked_output_tokens: 18_000, granted_output_tokens: 8_000 }])
    expect(await run.callModel(modelCall(10_000, 18_000), writesAll(10_000))).toMatchObject({ kind: 'refused' })
    expect((await run.usage()).cost).toMatchObject({ settled: 1_000_000_000, overrun: 0 })
  })

  it('with its whole cap if its model is free, even with an overdrawn cost limit', async () => {
    const prices = createPriceBook({ overrides: parsePrices({ local: { input: 0, output: 0 } }) })
    const { governor } = create({ prices })
    const run = await governor.open({ name: 'run', limits: { cost: 1 } })
    await (await mustReserve(run, { cost: 900_000_000 })).settle({ cost: 1_100_000_000 })
    const free = modelCall(100, 4_000, { model: 'local', thinkingBudget: 2_000 })
    const outcome = await run.callModel(free, async ({ maxOutputTokens, thinkingBudget }) => {
      return { value: { maxOutputTokens, thinkingBudget }, usage: { inputTokens: 100, outputTokens: 10 } }
    })
    expect(outcome).toMatchObject({ clampedTo: null, value: { maxOutputTokens: 4_000, thinkingBudget: 2_000 } })
  })

  it('D6: while both its phase and the total have room', async () => {
    const { governor } = create()
    const limits = { planningCost: 0.5, executionCost: 0.3, cost: 1 }
    const run = await governor.open({ name: 'run', limits })
    const spend = (phase: 'planning' | 'execution', outputTokens: number) =>
      run.callModel(modelCall(0, outputTokens, { phase }), writesAll(0))
    await spend('planning', 60_000)
    await spend('execution', 40_000)
    const usage = await run.usage()
    expect([usage.planningCost.settled, usage.executionCost.settled, usage.cost.settled]).toEqual([
      300_000_000, 200_000_000, 500_000_000,
    ])
    expect(await spend('execution', 40_000)).toMatchObject({ clampedTo: 20_000 })
    expect(await spend('execution', 40_000)).toMatchObject({ kind: 'refused', breach: { meter: 'executionCost' } })
  })

  it('D6: as an execution call if it names no phase, including its clamp and closing call', async () => {
    const { governor } = create()
    const limits = { planningCost: 0.5, executionCost: 0.3, cost: 1 }
    const run = await governor.open({ name: 'run', limits, wrapUp: true })
    for (let call = 1; call <= 20; call++) await run.callModel(modelCall(1_000, 10_000), writesAll(1_000))
    const refused = await run.callModel(modelCall(1_000, 10_000), writesAll(1_000))
    expect(refused).toMatchObject({ kind: 'refused', breach: { meter: 'executionCost' } })
    await run.callWrapUp(modelCall(1_000, 1_000), writesAll(1_000))
    const { planningCost, executionCost, cost } = await run.usage()
    expect(executionCost).toMatchObject({ overrun: 0, reserved: 0, held: 0 })
    expect([planningCost.settled, executionCost.settled]).toEqual([0, cost.settled])
    // Every answer used its full cap, so none was started that would have been cut off: less than one more would have
    // fitted.
    expect(cost.settled).toBeGreaterThan(300_000_000 - 51_000_000)
  })

  it('D6: by phase for costs reserved directly, and as execution without one', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { planningCost: 0.5, executionCost: 0.3 } })
    const spend = async (reserved: Amounts, settled?: Amounts) => {
      const room = await run.reserve(reserved, { waitMs: 0 })
      if (room.kind === 'granted') await room.settle(settled)
      return breachIn(room)?.meter ?? null
    }
    const settled = async () => {
      const { planningCost, executionCost, cost } = await run.usage()
      return [planningCost.settled, executionCost.settled, cost.settled]
    }
    expect(await spend({ cost: 100_000_000 })).toBe(null)
    expect(await settled()).toEqual([0, 100_000_000, 100_000_000])
    expect(await spend({ cost: 100_000_000 }, { cost: 40_000_000 })).toBe(null)
    expect(await settled()).toEqual([0, 140_000_000, 140_000_000])
    expect(await spend({ cost: 200_000_000 })).toBe('executionCost')
    const planned = { cost: 200_000_000, planningCost: 200_000_000 }
    expect(await spend(planned, { cost: 60_000_000 })).toBe(null)
    expect(await settled()).toEqual([60_000_000, 140_000_000, 200_000_000])
    expect(await spend({ cost: 150_000_000, planningCost: 50_000_000 })).toBe(null)
    expect(await settled()).toEqual([110_000_000, 240_000_000, 350_000_000])
  })

  it('D10: with one output token, after waiting before it is cut', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { tokens: 10_000 } })
    expect(await run.callModel(modelCall(10, 1), writesAll(10))).toMatchObject({
      value: { usage: { outputTokens: 1 } },
    })
    const running = deferred<ReturnType<typeof answer>>()
    const first = run.callModel(modelCall(10, 9_000), () => running.promise)
    await settleDown()
    const second = run.callModel(modelCall(10, 4_000), writesAll(10))
    expect(await isPending(second as Promise<never>)).toBe(true)
    running.resolve(answer(10, 100))
    await first
    expect(await second).toMatchObject({ clampedTo: null, value: { usage: { outputTokens: 4_000 } } })
  })

  it('A11: exactly as often as modelCalls allows', async () => {
    const { governor } = create()
    const run = await governor.open({ name: 'run', limits: { modelCalls: 10 } })
    let requests = 0
    for (let turn = 0; turn < 20; turn++) {
      await run.callModel(modelCall(10, 10), async () => answer(10, ++requests))
    }
    expect(requests).toBe(10)
  })
})
