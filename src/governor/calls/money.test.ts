import { describe, expect, it } from 'vitest'
import { createGovernor } from '../create-governor.ts'
import { createGovernorFixture } from '../fixtures/governor.fixture.ts'
import { answer, answerFrom, modelCall, TEST_PRICES, writesAll } from '../fixtures/model.fixture.ts'

const NANO_USD = 1_000_000_000

describe('money', () => {
  it('D7: 100,000 calls, 200 in flight, at a provider that always writes its whole cap: nothing is overspent, and more than 99 % used', async () => {
    const governor = createGovernor({ prices: TEST_PRICES })
    const callCost = 100 * 1_000 + 400 * 5_000
    const run = await governor.open({ name: 'run', limits: { cost: (100_000 * callCost) / NANO_USD } })
    let calls = 0
    let mostInFlight = 0
    let inFlight = 0
    const worker = async () => {
      for (let mayCall = true; mayCall; ) {
        const outcome = await run.callModel(modelCall(100, 400), async ({ maxOutputTokens }) => {
          calls++
          mostInFlight = Math.max(mostInFlight, ++inFlight)
          await Promise.resolve()
          inFlight--
          return answer(100, maxOutputTokens)
        })
        mayCall = answerFrom(outcome) !== null
      }
    }
    await Promise.all(Array.from({ length: 200 }, worker))
    const { cost } = await run.usage()
    expect(calls).toBeGreaterThanOrEqual(100_000)
    expect(mostInFlight).toBeGreaterThan(100)
    expect(cost).toMatchObject({ overrun: 0, reserved: 0 })
    expect(cost.settled).toBeGreaterThan((cost.limit ?? 0) * 0.99)
    await governor.close()
  }, 60_000)

  it('D7: with answers of any length nothing is overspent, and no call waits forever', async () => {
    const governor = createGovernor({ prices: TEST_PRICES })
    const run = await governor.open({ name: 'run', limits: { cost: 1 } })
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const worker = async () => {
      for (let mayCall = true; mayCall; ) {
        const outcome = await run.callModel(modelCall(500, 8_000), async ({ maxOutputTokens }) => {
          for (let turn = 0; turn < 4 * random(); turn++) await Promise.resolve()
          return answer(500, Math.ceil(maxOutputTokens * random()))
        })
        mayCall = answerFrom(outcome) !== null
      }
    }
    await Promise.all(Array.from({ length: 50 }, worker))
    const { cost } = await run.usage()
    expect(cost).toMatchObject({ overrun: 0, reserved: 0 })
    expect(cost.settled).toBeGreaterThan(0.99 * NANO_USD)
    await governor.close()
  })
})

describe('D9: a client that asks for 32,000 output tokens with a thinking budget of 31,999 on every call', () => {
  // 84 kB are about 24,000 tokens.
  it.each([
    ['2,000 tokens', 2_000, '$1', 0.9],
    ['84 kB', 24_000, '$1', 0.7],
    ['84 kB', 24_000, '$0.50', 0.1],
  ])(
    'with requests of %s (%i) under %s spends most of it, and ends with an answer',
    async (_, inputTokens, cost, share) => {
      const { governor } = createGovernorFixture()
      const run = await governor.open({ name: 'run', limits: { cost }, wrapUp: true })
      const spec = { model: 'claude-sonnet-4-5', inputTokens, maxOutputTokens: 32_000, thinkingBudget: 31_999 }
      let answers = 0
      for (let turn = 0; turn < 2_000; turn++) {
        const outcome = await run.callModel({ ...spec, cacheMark: '5m' }, async (grant) => {
          expect(grant.thinkingBudget).toBeLessThan(grant.maxOutputTokens)
          expect(grant.thinkingBudget).toBeGreaterThanOrEqual(1_024)
          return answer(inputTokens, 300)
        })
        if (answerFrom(outcome) === null) break
        answers++
      }
      expect(answers).toBeGreaterThan(0)
      const spent = (await run.usage()).cost
      expect(spent.settled).toBeGreaterThan((spent.limit ?? 0) * share)
      const closing = { ...spec, inputTokens: inputTokens + 300, maxOutputTokens: 2_024, thinkingBudget: 1_024 }
      const last = await run.callWrapUp({ ...closing, cacheMark: '5m' }, writesAll(inputTokens))
      expect(answerFrom(last)).not.toBe(null)
      expect((await run.usage()).cost.overrun).toBe(0)
    },
  )
})
