import { describe, expect, it } from 'vitest'
import { createPriceBook } from '../../pricing/index.ts'
import { createGovernorFixture } from '../fixtures/governor.fixture.ts'
import { answer, modelCall, writesAll } from '../fixtures/model.fixture.ts'

const NOTICE = 'The model my-model has no price, so the cost limit is dropped (the preset qa).'
const unpriced = modelCall(100, 50, { model: 'my-model' })

describe('a model without a price', () => {
  it('D1: drops the cost limit of a preset with a notice, once, and the call is made', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', preset: 'qa' })
    for (let call = 0; call < 3; call++) {
      expect(await run.callModel(unpriced, writesAll(100))).toMatchObject({ value: { text: 'done' } })
    }
    expect(await emitted('usage_anomaly')).toMatchObject([
      { meter: 'cost', value: NOTICE, charged: 0, call: 'model', call_name: 'my-model', scope: run.id },
    ])
    expect(run.explain().map(({ meter, note }) => [meter, note])).toEqual([
      ['toolCalls', null],
      ['cost', NOTICE],
      ['time', null],
    ])
    expect((await run.usage()).cost).toMatchObject({ settled: 0, limit: 500_000_000 })
    expect(await emitted('agent_warning')).toEqual([])
  })

  it('is reported on the scope that has the limit, which still holds for other models', async () => {
    const { governor } = createGovernorFixture()
    const run = await governor.open({ name: 'run', preset: 'qa' })
    const child = await run.open({ name: 'child' })
    await child.callModel(unpriced, writesAll(100))
    expect(run.explain().find(({ meter }) => meter === 'cost')?.note).toBe(NOTICE)
    await child.callModel(modelCall(1_000, 100, { model: 'claude-sonnet-4-5' }), writesAll(1_000))
    expect((await run.usage()).cost.settled).toBe(1_000 * 3_000 + 100 * 15_000)
  })

  it('is refused as soon as a person writes the limit, and the notice is gone', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', preset: 'qa' })
    await run.callModel(unpriced, writesAll(100))
    await run.setLimits({ cost: 1 })
    expect(run.explain().find(({ meter }) => meter === 'cost')?.note).toBe(null)
    await expect(run.callModel(unpriced, writesAll(100))).rejects.toMatchObject({ code: 'unpriced_model' })
    expect(await emitted('usage_anomaly')).toHaveLength(1)
  })

  it('is not reported if the call was refused, or nothing limits the cost', async () => {
    const { governor, emitted } = createGovernorFixture()
    const full = await governor.open({ name: 'full', preset: 'qa', limits: { modelCalls: 1 } })
    await full.callModel(modelCall(1, 1, { model: 'claude-sonnet-4-5' }), writesAll(1))
    expect(await full.callModel(unpriced, writesAll(100))).toMatchObject({ kind: 'refused' })
    const free = await governor.open({ name: 'free' })
    await free.callModel(unpriced, writesAll(100))
    expect(await emitted('usage_anomaly')).toEqual([])
    expect(full.explain().every(({ note }) => note === null)).toBe(true)
  })

  it('is reported for the closing call too, and for an estimate', async () => {
    const { governor, emitted } = createGovernorFixture({ prices: createPriceBook({ unknownModels: 'estimate' }) })
    const run = await governor.open({ name: 'run', limits: { cost: 100 }, wrapUp: true })
    await run.callWrapUp(modelCall(1_000, 100, { model: 'my-claude' }), async () => answer(1_000, 100))
    const [event] = await emitted('usage_anomaly')
    expect(event).toMatchObject({ value: expect.stringContaining('charged like the most expensive') })
    expect(event).toMatchObject({ charged: (await run.usage()).cost.settled })
  })

  it('adds a bounded number of notices, however many models there are', async () => {
    const { governor, emitted } = createGovernorFixture()
    const run = await governor.open({ name: 'run', preset: 'qa' })
    for (let call = 0; call < 60; call++) {
      await run.callModel(modelCall(1, 1, { model: `my-model-${call}` }), writesAll(1))
    }
    expect(await emitted('usage_anomaly')).toHaveLength(50)
  })
})
