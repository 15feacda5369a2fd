import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clampOutput } from './clamp-output.ts'
import { fitThinking } from './fit-thinking.ts'
import { InvalidCallError } from './invalid-call-error.ts'

describe('the clamp', () => {
  it('grants the requested cap if the path can pay for it', () => {
    expect(clampOutput({ asked: 4_000, payableNow: 9_000, payableLater: 9_000 })).toEqual({
      kind: 'granted',
      maxOutput: 4_000,
      thinkingBudget: null,
      clamped: false,
    })
  })

  it('D2: cuts the cap to what is left', () => {
    expect(clampOutput({ asked: 4_000, payableNow: 300, payableLater: 300 })).toMatchObject({
      maxOutput: 300,
      clamped: true,
    })
  })

  it('cuts the cap to the model’s maximum', () => {
    const decision = clampOutput({ asked: 4_000, modelMaximum: 1_000, payableNow: 9_000, payableLater: 9_000 })
    expect(decision).toMatchObject({ maxOutput: 1_000, clamped: true })
  })

  it('D10: waits before it cuts below 2,048 while calls in flight may make room', () => {
    expect(clampOutput({ asked: 4_000, payableNow: 2_047, payableLater: 9_000 })).toEqual({ kind: 'wait' })
    expect(clampOutput({ asked: 4_000, payableNow: 2_048, payableLater: 9_000 })).toMatchObject({ maxOutput: 2_048 })
    expect(clampOutput({ asked: 1_000, payableNow: 999, payableLater: 9_000 })).toEqual({ kind: 'wait' })
    expect(clampOutput({ asked: 4_000, payableNow: 0, payableLater: 256 })).toEqual({ kind: 'wait' })
  })

  it('breaches only below 256, and only if nothing in flight can help', () => {
    expect(clampOutput({ asked: 4_000, payableNow: 256, payableLater: 256 })).toMatchObject({ maxOutput: 256 })
    expect(clampOutput({ asked: 4_000, payableNow: 255, payableLater: 255 })).toEqual({ kind: 'breach' })
    expect(clampOutput({ asked: 4_000, payableNow: 0, payableLater: 255 })).toEqual({ kind: 'breach' })
    expect(clampOutput({ asked: 4_000, payableNow: -5, payableLater: -5 })).toEqual({ kind: 'breach' })
  })

  it('D10: serves a request for 1 output token', () => {
    expect(clampOutput({ asked: 1, payableNow: 1, payableLater: 1 })).toMatchObject({ maxOutput: 1, clamped: false })
    expect(clampOutput({ asked: 1, payableNow: 0, payableLater: 0 })).toEqual({ kind: 'breach' })
  })

  it('D9: a client that asks for 32,000 with 31,999 of thinking continues while 1,280 can be paid', () => {
    const ask = (payable: number) =>
      clampOutput({ asked: 32_000, thinkingBudget: 31_999, payableNow: payable, payableLater: payable })
    expect(ask(32_000)).toMatchObject({ maxOutput: 32_000, thinkingBudget: 31_999, clamped: false })
    expect(ask(31_999)).toMatchObject({ maxOutput: 31_999, thinkingBudget: 15_999, clamped: true })
    expect(ask(10_000)).toMatchObject({ maxOutput: 10_000, thinkingBudget: 7_999 })
    expect(ask(1_280)).toMatchObject({ maxOutput: 1_280, thinkingBudget: 1_024 })
    expect(ask(1_279)).toEqual({ kind: 'breach' })
  })

  it.each([
    [{ asked: -5 }],
    [{ asked: Number.NaN }],
    [{ asked: 1.5 }],
    [{ payableNow: Number.NaN, payableLater: Number.NaN }],
    [{ payableNow: '300' }],
    [{ payableLater: Number.NaN }],
    [{ payableLater: undefined }],
    [{ modelMaximum: -1 }],
    [{ thinkingBudget: Number.POSITIVE_INFINITY }],
    [{ smallestThinking: Number.NaN }],
  ])('refuses %j, which gives no valid cap', (patch) => {
    const question = { asked: 1_000, payableNow: 300, payableLater: 300, ...(patch as object) }
    expect(() => clampOutput(question)).toThrow(InvalidCallError)
    const [field] = Object.keys(patch)
    expect(() => clampOutput(question)).toThrow(
      new RegExp(`clampOutput: ${field} is .* whole number from 0.* A valid form: { asked: `),
    )
  })

  const arbitraryQuestion = fc.record({
    asked: fc.integer({ min: 1, max: 200_000 }),
    modelMaximum: fc.option(fc.integer({ min: 1, max: 200_000 })),
    payableNow: fc.integer({ min: -10, max: 200_000 }),
    more: fc.nat(200_000),
    thinking: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  })

  it('never grants more than was requested, the model can write or the path can pay, and never refuses what can be paid', () => {
    fc.assert(
      fc.property(arbitraryQuestion, ({ thinking, more, ...rest }) => {
        // Providers refuse a thinking budget below 1,024 or not below the cap.
        const thinkingBudget =
          thinking === null || rest.asked < 1_025 ? null : 1_024 + Math.floor((rest.asked - 1_025) * thinking)
        const question = { ...rest, thinkingBudget, payableLater: rest.payableNow + more }
        const decision = clampOutput(question)
        const most = Math.min(rest.asked, rest.modelMaximum ?? rest.asked)
        if (decision.kind === 'granted') {
          expect(decision.maxOutput).toBeLessThanOrEqual(Math.min(most, rest.payableNow))
          expect(decision.thinkingBudget === null).toBe(thinkingBudget === null)
          if (decision.thinkingBudget !== null) {
            expect(decision.thinkingBudget).toBeLessThan(decision.maxOutput)
            expect(decision.thinkingBudget).toBeGreaterThanOrEqual(1_024)
            expect(decision.thinkingBudget).toBeLessThanOrEqual(thinkingBudget!)
          }
        }
        if (decision.kind === 'wait') expect(more).toBeGreaterThan(0)
        const floor = thinkingBudget === null ? 256 : 1_280
        if (decision.kind === 'breach' && most >= floor) expect(question.payableLater).toBeLessThan(floor)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('a thinking budget under a smaller cap', () => {
  const fitted = (grantedOutput: number, thinkingBudget = 31_999) =>
    fitThinking({ askedOutput: 32_000, grantedOutput, thinkingBudget })

  it('stays unchanged while it leaves 256 tokens for the answer, since a change invalidates the cache', () => {
    expect(fitted(10_256, 10_000)).toBe(10_000)
    expect(fitted(10_255, 10_000)).toBe(5_000)
  })

  it('is halved down to the provider’s smallest, and then does not fit', () => {
    const caps = [32_000, 31_999, 16_255, 16_254, 8_255, 4_255, 2_255, 2_254, 1_280, 1_279]
    expect(caps.map((cap) => fitted(cap))).toEqual([
      31_999,
      15_999,
      15_999,
      7_999,
      7_999,
      3_999,
      1_999,
      1_024,
      1_024,
      null,
    ])
  })

  it('is refused if it is not a number of tokens', () => {
    for (const budget of [Number.NaN, -1]) expect(() => fitted(1_000, budget)).toThrow(/thinkingBudget is (NaN|-1)/)
  })

  it('is never switched off for a provider without a smallest budget', () => {
    expect(fitThinking({ askedOutput: 1_000, grantedOutput: 257, thinkingBudget: 800, smallestThinking: 0 })).toBe(1)
    expect(fitThinking({ askedOutput: 1_000, grantedOutput: 256, thinkingBudget: 800, smallestThinking: 0 })).toBeNull()
  })
})
