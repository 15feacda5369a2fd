import { describe, expect, it } from 'vitest'
import type { StintEvent } from '../../core/index.ts'
import { createPriceBook, parsePrices } from '../../pricing/index.ts'
import type { ModelCallSpec, ServedBy } from '../call.ts'
import { createGovernor } from '../create-governor.ts'

const USAGE = { inputTokens: 1_000, outputTokens: 100 }
const SONNET = 1_000 * 3_000 + 100 * 15_000
const OPUS = 1_000 * 15_000 + 100 * 75_000
const TWICE = { numerator: 2, denominator: 1 }
const prices = createPriceBook({ overrides: parsePrices({ mine: { input: 1, output: 1 } }) })

/** What a call is charged if its answer names this model or tier, and the anomalies reported. */
async function charged(servedBy: ServedBy, spec: Partial<ModelCallSpec> = {}, times = 1) {
  const events: StintEvent[] = []
  const governor = createGovernor({ prices, onEvent: (event) => void events.push(event) })
  const scope = await governor.open({ name: 'run', limits: { cost: 1 } })
  for (let call = 0; call < times; call++) {
    await scope.callModel(
      { model: 'claude-sonnet-4-5', inputTokens: 1_000, maxOutputTokens: 100, ...spec },
      async (grant) => {
        grant.report({ servedBy })
        return { value: null, usage: USAGE }
      },
    )
  }
  const { cost } = await scope.usage()
  await governor.close()
  const anomalies = events.flatMap((event) => (event.event === 'usage_anomaly' ? [event.value] : []))
  return { cost: cost.settled / times, anomalies }
}

describe('an answer that names its model or tier', () => {
  it('is charged at the price of a more expensive model, and that is reported', async () => {
    expect(await charged({ model: 'claude-opus-4-1' })).toEqual({
      cost: OPUS,
      anomalies: ['answered by "claude-opus-4-1" instead of "claude-sonnet-4-5"'],
    })
  })

  it('is charged as requested if the other model is cheaper, or the same under another name', async () => {
    for (const model of ['claude-haiku-4-5', 'claude-sonnet-4-5-20250929', 'claude-sonnet-4-5', '', null]) {
      expect(await charged({ model })).toEqual({ cost: SONNET, anomalies: [] })
    }
  })

  it('is charged the factor of an unrequested tier, but never twice for a requested one', async () => {
    const dearer = 'answered by "claude-sonnet-4-5" at a more expensive tier'
    expect(await charged({ priceFactor: TWICE })).toEqual({ cost: 2 * SONNET, anomalies: [dearer] })
    expect(await charged({ priceFactor: TWICE }, { priceFactor: TWICE })).toEqual({ cost: 2 * SONNET, anomalies: [] })
    expect(await charged({ priceFactor: null }, { priceFactor: TWICE })).toEqual({ cost: 2 * SONNET, anomalies: [] })
    expect((await charged({ model: 'claude-opus-4-1', priceFactor: TWICE })).cost).toBe(2 * OPUS)
  })

  it('by a model without a price is charged as requested, and reported once', async () => {
    const { cost, anomalies } = await charged({ model: 'nobody-knows-me' }, {}, 3)
    expect(cost).toBe(SONNET)
    expect(anomalies).toEqual([
      'answered by "nobody-knows-me" instead of "claude-sonnet-4-5": "nobody-knows-me" has no price',
    ])
  })

  it('has the user’s price for the requested model, whatever the provider calls it', async () => {
    const mine = { cost: 1_100_000, anomalies: [] }
    expect(await charged({ model: 'claude-opus-4-1' }, { model: 'mine' })).toEqual(mine)
    expect(await charged({ model: 'claude-opus-4-1' }, { price: prices.find('mine') })).toEqual(mine)
  })
})
