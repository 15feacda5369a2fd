import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COUNTER_METERS } from '../../core/meter.ts'
import { arbitraryPrice, simplePrice } from '../prices/price.fixture.ts'
import { createPriceBook, DEFAULT_PRICE_BOOK } from '../prices/price-book.ts'
import type { UnknownModels } from '../prices/unknown-models.ts'
import { UnpricedModelError } from '../prices/unpriced-model-error.ts'
import { amountsFromUsage } from '../usage/amounts-from-usage.ts'
import { costOf } from '../usage/cost-of.ts'
import { completeUsage, type Usage } from '../usage/usage.ts'
import type { CacheMark } from './cache-mark.ts'
import { elasticCall } from './elastic-call.ts'
import { InvalidCallError } from './invalid-call-error.ts'
import type { ModelCall } from './model-call.ts'
import { smallestCall } from './smallest-call.ts'
import { worstCase } from './worst-case.ts'

const AT = new Date('2026-11-15T00:00:00Z')
const sonnet = DEFAULT_PRICE_BOOK.find('claude-sonnet-4-5', { at: AT })!
const call = { price: sonnet, inputTokens: 1_000, maxOutputTokens: 2_000 }

const arbitraryCall = fc.record({
  price: arbitraryPrice,
  inputTokens: fc.nat(400_000),
  maxOutputTokens: fc.nat(128_000),
  choices: fc.integer({ min: 1, max: 8 }),
  cacheMark: fc.constantFrom<CacheMark>('none', '5m', '1h'),
  phase: fc.constantFrom('planning' as const, 'execution' as const, undefined),
  webSearches: fc.nat(20),
  thinkingBudget: fc.option(fc.nat(128_000)),
})

/** A usage within the bounds of a call: any part of the prompt in any class that its cache mark allows. */
function usageWithin(made: ModelCall & { readonly price: typeof sonnet }, shares: readonly number[]): Usage {
  let rest = Math.floor(made.inputTokens * shares[0]!)
  const take = (share: number, isAllowed: boolean) => {
    const taken = isAllowed ? Math.floor(rest * share) : 0
    rest -= taken
    return taken
  }
  const cacheWrite1hTokens = take(shares[1]!, made.cacheMark === '1h')
  const cacheWriteTokens = take(shares[2]!, made.cacheMark !== 'none' || made.price.cacheWrites === 'automatic')
  const cacheReadTokens = take(shares[3]!, true)
  const outputTokens = Math.floor(made.maxOutputTokens * (made.choices ?? 1) * shares[4]!)
  const reasoningTokens = Math.floor(outputTokens * shares[5]!)
  return { inputTokens: rest, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, outputTokens, reasoningTokens }
}

const share = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }))

describe('the worst case of a call', () => {
  it('is the whole input and the whole output cap at their prices', () => {
    expect(worstCase(call)).toEqual({
      modelCalls: 1,
      tokens: 3_000,
      outputTokens: 2_000,
      uncachedTokens: 3_000,
      cost: 1_000 * 3_000 + 2_000 * 15_000,
      executionCost: 1_000 * 3_000 + 2_000 * 15_000,
    })
  })

  it('uses the cache write price of the request’s mark: 1.25 times for 5 minutes, 2 times for an hour', () => {
    const input = (cacheMark: CacheMark) => worstCase({ ...call, maxOutputTokens: 0, cacheMark }).cost
    expect([input('none'), input('5m'), input('1h')]).toEqual([3_000_000, 3_750_000, 6_000_000])
  })

  it('counts cache writes that a provider bills without a mark', () => {
    const price = DEFAULT_PRICE_BOOK.find('gpt-6.1-sol', { at: AT })!
    expect(worstCase({ price, inputTokens: 1_000, maxOutputTokens: 0 }).cost).toBe(2_500_000)
  })

  it('uses the long-context tier for input and output once the prompt reaches it', () => {
    const price = DEFAULT_PRICE_BOOK.find('claude-haiku-5-5', { at: AT })!
    const at = (inputTokens: number) => worstCase({ price, inputTokens, maxOutputTokens: 1_000 }).cost
    expect(at(100_000)).toBe(10_000_000 + 500_000)
    expect(at(100_001)).toBe(50_000_500 + 2_500_000)
  })

  it('counts every choice, search and request fee, and the factor of a fast mode', () => {
    const price = { ...simplePrice({ input: 1, output: 2 }), fees: { requestNanoUsd: 7, webSearchNanoUsd: 1_000 } }
    const base = { price, inputTokens: 10, maxOutputTokens: 100 }
    expect(worstCase({ ...base, choices: 3, webSearches: 2 })).toMatchObject({
      outputTokens: 300,
      cost: 10_000 + 600_000 + 2_007,
    })
    expect(worstCase({ ...base, priceFactor: { numerator: 6, denominator: 1 } }).cost).toBe(6 * 210_000 + 7)
  })

  it('uses the higher price of output and reasoning', () => {
    const price = simplePrice({ input: 0, output: 2, reasoning: 3 })
    expect(worstCase({ price, inputTokens: 0, maxOutputTokens: 1_000 }).cost).toBe(3_000_000)
  })

  it('is limited to the most that the model can write', () => {
    const price = { ...sonnet, maxOutputTokens: 500 }
    expect(worstCase({ ...call, price })).toMatchObject({ outputTokens: 500 })
  })

  it('D6: counts on the phase of the call too', () => {
    expect(worstCase({ ...call, phase: 'planning' })).toMatchObject({ cost: 33_000_000, planningCost: 33_000_000 })
  })

  it('has no cost for a model without a price, and looks models up by name', () => {
    expect(worstCase({ ...call, price: null })).not.toHaveProperty('cost')
    expect(worstCase({ model: 'claude-sonnet-4-5', at: AT, inputTokens: 1_000, maxOutputTokens: 2_000 })).toEqual(
      worstCase(call),
    )
    expect(() => worstCase({ model: 'nobody-knows-me', inputTokens: 1, maxOutputTokens: 1 })).toThrow(
      UnpricedModelError,
    )
  })

  it.each([
    [{ inputTokens: -1 }],
    [{ inputTokens: Number.NaN }],
    [{ maxOutputTokens: 1.5 }],
    [{ maxOutputTokens: Number.POSITIVE_INFINITY }],
    [{ choices: 0 }],
    [{ choices: 1e9 }],
    [{ webSearches: '3' }],
    [{ thinkingBudget: -5 }],
    [{ priceFactor: { numerator: 0, denominator: 1 } }],
  ])('refuses a call with %j', (patch) => {
    expect(() => worstCase({ ...call, ...(patch as object) })).toThrow(/Model call: \S+ is .* must be a whole number/)
  })

  it.each([
    [{ cacheMark: '1H' }, 'cacheMark is "1H"', 'Did you mean "1h"?'],
    [{ cacheMark: 'ephemeral' }, 'cacheMark is "ephemeral"', 'must be "none", "5m" or "1h"'],
    [{ cacheMark: '60m' }, 'cacheMark is "60m"', 'must be "none", "5m" or "1h"'],
    [{ cacheMark: null }, 'cacheMark is null', 'must be "none", "5m" or "1h"'],
    [{ phase: 'Planning' }, 'phase is "Planning"', 'Did you mean "planning"?'],
    [{ phase: 'plan' }, 'phase is "plan"', 'must be "planning" or "execution"'],
  ])('refuses %j instead of assuming the weaker choice', (patch, problem, hint) => {
    for (const ask of [worstCase, elasticCall, smallestCall]) {
      const asked = () => ask({ ...call, ...(patch as object) })
      expect(asked).toThrow(InvalidCallError)
      expect(asked).toThrow(problem)
      expect(asked).toThrow(hint)
    }
  })

  it('promise 5: refuses a call with neither model nor price, and spots a misspelled field', () => {
    const bare = { inputTokens: 1, maxOutputTokens: 1 }
    expect(() => worstCase(bare)).toThrow(InvalidCallError)
    expect(() => worstCase({ ...bare, model: 7 as never })).toThrow('model is 7')
    const misspelt = { ...bare, modle: 'claude-sonnet-4-5', phase: 'planning' as const }
    expect(() => worstCase(misspelt)).toThrow('Did you mean model instead of modle?')
  })

  it.each([
    ['cachemark', '1h', 'cacheMark'],
    ['cache_mark', '1h', 'cacheMark'],
    ['webSearch', 5, 'webSearches'],
    ['choice', 4, 'choices'],
    ['phse', 'planning', 'phase'],
    ['pricefactor', { numerator: 2, denominator: 1 }, 'priceFactor'],
    ['thinkingBudgt', 4_000, 'thinkingBudget'],
    ['providr', 'groq', 'provider'],
    ['hasmedia', true, 'hasMedia'],
  ])('refuses %s: %j, which would be ignored, and suggests %s', (field, value, meant) => {
    for (const ask of [worstCase, elasticCall, smallestCall]) {
      const asked = () => ask({ ...call, [field]: value })
      expect(asked).toThrow(InvalidCallError)
      expect(asked).toThrow(`Model call: ${field} is `)
      expect(asked).toThrow(`Did you mean ${meant}?`)
    }
  })

  it('ignores other fields, since callers spread what they have', () => {
    const usage = completeUsage({ inputTokens: 1_000 })
    const others = { messages: 12, waitMs: 0, mode: 'fast', models: [], temperature: 1, tools: [], place: 'here' }
    expect(worstCase({ ...usage, ...others, ...call, ...{ cachemark: undefined } })).toEqual(worstCase(call))
  })

  it("counts a model without a price by the book's choice", () => {
    const unknown = { model: 'claude-99', inputTokens: 1_000, maxOutputTokens: 1_000 }
    const under = (unknownModels: UnknownModels) => ({ ...unknown, book: createPriceBook({ unknownModels }) })
    for (const ask of [worstCase, smallestCall]) {
      expect(ask(under('tokens-only'))).not.toHaveProperty('cost')
      expect(() => ask(under('refuse'))).toThrow('unknownModels "estimate" or "tokens-only"')
    }
    expect(worstCase(under('estimate')).cost).toBe(30_000_000 + 150_000_000)
    expect(smallestCall(under('estimate')).cost).toBe(30_000_000 + 256 * 150_000)
    expect(elasticCall(under('estimate')).fixed.cost).toBe(30_000_000)
  })

  it('promise 1: no usage within the bounds of a call costs more, whatever the prices, tiers, marks and shares', () => {
    fc.assert(
      fc.property(arbitraryCall, fc.array(share, { minLength: 6, maxLength: 6 }), (made, shares) => {
        const usage = usageWithin(made, shares)
        const costNanoUsd = costOf(made.price, usage, { webSearches: made.webSearches })
        const settled = { modelCalls: 1, ...amountsFromUsage(usage, { costNanoUsd, phase: made.phase }) }
        const reserved = worstCase(made)
        for (const meter of COUNTER_METERS) expect(settled[meter] ?? 0).toBeLessThanOrEqual(reserved[meter] ?? 0)
      }),
      { numRuns: 5_000 },
    )
  })

  it('covers the rounding of settlement, class by class', () => {
    const half = { basePicoUsd: 1_500, tiers: [] }
    const price = {
      ...simplePrice({ input: 1, output: 1 }),
      input: half,
      cacheRead: half,
      cacheWrite: half,
      cacheWrite1h: half,
    }
    const usage = completeUsage({ inputTokens: 1, cacheReadTokens: 1, cacheWriteTokens: 1, cacheWrite1hTokens: 1 })
    expect(costOf(price, usage)).toBe(8)
    const reserved = worstCase({ price, inputTokens: 4, maxOutputTokens: 0, cacheMark: '1h' }).cost!
    expect(reserved).toBeGreaterThanOrEqual(8)
    expect(reserved).toBeLessThanOrEqual(9)
  })

  it('never shrinks with a longer prompt or a larger cap', () => {
    fc.assert(
      fc.property(arbitraryCall, fc.nat(100_000), fc.nat(10_000), (made, moreInput, moreOutput) => {
        const larger = {
          ...made,
          inputTokens: made.inputTokens + moreInput,
          maxOutputTokens: made.maxOutputTokens + moreOutput,
        }
        expect(worstCase(larger).cost).toBeGreaterThanOrEqual(worstCase(made).cost!)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the elastic form of a call', () => {
  it('gives a store the fixed part and the rates of its output', () => {
    expect(elasticCall({ ...call, choices: 2 })).toEqual({
      fixed: {
        modelCalls: 1,
        tokens: 1_000,
        outputTokens: 0,
        uncachedTokens: 1_000,
        cost: 3_000_000,
        executionCost: 3_000_000,
      },
      elastic: {
        least: 256,
        enough: 2_000,
        most: 2_000,
        rates: [
          { meter: 'tokens', numerator: 2, denominator: 1 },
          { meter: 'outputTokens', numerator: 2, denominator: 1 },
          { meter: 'uncachedTokens', numerator: 2, denominator: 1 },
          { meter: 'cost', numerator: 30_000_000, denominator: 1_000 },
          { meter: 'executionCost', numerator: 30_000_000, denominator: 1_000 },
        ],
      },
    })
  })

  it('D10: requests no more than the call does', () => {
    expect(elasticCall({ ...call, maxOutputTokens: 1 }).elastic).toMatchObject({ least: 1, enough: 1, most: 1 })
  })

  it('D9: keeps room for the smallest thinking budget and an answer', () => {
    const thinking = { ...call, maxOutputTokens: 32_000, thinkingBudget: 31_999 }
    expect(elasticCall(thinking).elastic).toMatchObject({ least: 1_280, enough: 2_048, most: 32_000 })
    expect(smallestCall(thinking)).toMatchObject({ modelCalls: 1, tokens: 2_280, cost: 3_000_000 + 1_280 * 15_000 })
  })
})

describe('the smallest sensible call', () => {
  it('has its whole input and 256 output tokens, or fewer if fewer were requested', () => {
    expect(smallestCall(call)).toEqual({
      modelCalls: 1,
      tokens: 1_256,
      outputTokens: 256,
      uncachedTokens: 1_256,
      cost: 3_000_000 + 256 * 15_000,
      executionCost: 3_000_000 + 256 * 15_000,
    })
    expect(smallestCall({ ...call, maxOutputTokens: 10 })).toMatchObject({ outputTokens: 10 })
  })
})
