import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addAmount } from '../../core/amounts/amounts.ts'
import { InvalidCallError } from '../call/invalid-call-error.ts'
import { worstCase } from '../call/worst-case.ts'
import { parsePrices } from '../prices/overrides/parse-prices.ts'
import { nanoUsdOfTokens, picoUsdPerToken } from '../prices/pico-usd.ts'
import { arbitraryPrice, arbitraryUsage, simplePrice } from '../prices/price.fixture.ts'
import { createPriceBook, DEFAULT_PRICE_BOOK } from '../prices/price-book.ts'
import { UnpricedModelError } from '../prices/unpriced-model-error.ts'
import { costOf } from './cost-of.ts'
import { estimateCost } from './estimate-cost.ts'
import { completeUsage, type Usage } from './usage.ts'

const AT = new Date('2026-11-15T00:00:00Z')

describe('the cost of a call', () => {
  it('D4: 2K in + 1K out, then 3K in + 2K out at $0.003/$0.015 per 1K cost exactly $0.060', () => {
    const overrides = parsePrices({
      haiku: { input: 0.00025, output: 0.00125, per: '1K' },
      sonnet: { input: 0.003, output: 0.015, per: '1K' },
      opus: { input: 0.015, output: 0.075, per: '1K' },
    })
    const book = createPriceBook({ overrides })
    const first = estimateCost({ model: 'sonnet', usage: { inputTokens: 2_000, outputTokens: 1_000 }, book })
    const second = estimateCost({ model: 'sonnet', usage: { inputTokens: 3_000, outputTokens: 2_000 }, book })
    expect([first, second, first + second]).toEqual([21_000_000, 39_000_000, 60_000_000])
    const usage = { inputTokens: 1_000, outputTokens: 1_000 }
    expect(estimateCost({ model: 'haiku', usage, book })).toBe(1_500_000)
    expect(estimateCost({ model: 'opus', usage, book })).toBe(90_000_000)
  })

  it('D5: adds up a million rows exactly', () => {
    const price = simplePrice({ input: 0.0375, output: 0.15 })
    let total = 0
    let exact = 0n
    for (let row = 0; row < 1_000_000; row++) {
      const inputTokens = (row * 7_919) % 100_003
      const outputTokens = (row * 104_729) % 4_099
      total = addAmount(total, costOf(price, completeUsage({ inputTokens, outputTokens })))
      exact += (BigInt(inputTokens) * 37_500n + 999n) / 1_000n + (BigInt(outputTokens) * 150_000n + 999n) / 1_000n
    }
    expect(BigInt(total)).toBe(exact)
  })

  it('is never below the true price, and less than 1 nano-USD above it, for a million random pairs', () => {
    let seed = 42
    const random = (most: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((seed / 2 ** 32) * most)
    }
    let wrong = 0
    for (let pair = 0; pair < 1_000_000; pair++) {
      const tokens = random(10 ** (1 + (pair % 12)))
      const picoUsd = random(10 ** (1 + (pair % 10)))
      const above = BigInt(nanoUsdOfTokens(tokens, picoUsd)) * 1_000n - BigInt(tokens) * BigInt(picoUsd)
      const isSaturated = nanoUsdOfTokens(tokens, picoUsd) === Number.MAX_SAFE_INTEGER
      if (!isSaturated && (above < 0n || above >= 1_000n)) wrong++
    }
    expect(wrong).toBe(0)
  })

  it('never shrinks with more tokens of any kind, whatever the tiers', () => {
    const kinds = Object.keys(completeUsage({})) as (keyof Usage)[]
    fc.assert(
      fc.property(
        arbitraryPrice,
        arbitraryUsage,
        fc.constantFrom(...kinds),
        fc.nat(500_000),
        (price, usage, kind, more) => {
          if (kind === 'reasoningTokens') return
          expect(costOf(price, { ...usage, [kind]: (usage[kind] ?? 0) + more })).toBeGreaterThanOrEqual(
            costOf(price, usage),
          )
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('A13: prices cache reads and writes separately', () => {
    const price = DEFAULT_PRICE_BOOK.find('claude-sonnet-4-5', { at: AT })!
    const costOfOne = (kind: keyof Usage) => costOf(price, completeUsage({ [kind]: 1_000 }))
    expect(costOfOne('inputTokens')).toBe(3_000_000)
    expect(costOfOne('cacheReadTokens')).toBe(300_000)
    expect(costOfOne('cacheWriteTokens')).toBe(3_750_000)
    expect(costOfOne('cacheWrite1hTokens')).toBe(6_000_000)
  })

  it('uses the tier of the whole prompt, including cached tokens, for the whole request', () => {
    const price = DEFAULT_PRICE_BOOK.find('claude-haiku-5-5', { at: AT })!
    const usage = { inputTokens: 1_000, cacheReadTokens: 99_000, outputTokens: 1_000 }
    expect(costOf(price, completeUsage(usage))).toBe(100_000 + 990_000 + 500_000)
    expect(costOf(price, completeUsage({ ...usage, cacheReadTokens: 99_001 }))).toBe(500_000 + 4_950_050 + 2_500_000)
  })

  it('prices reasoning separately if the table does, without counting it twice', () => {
    const price = simplePrice({ input: 2, output: 8, reasoning: 3 })
    expect(costOf(price, completeUsage({ outputTokens: 1_000, reasoningTokens: 400 }))).toBe(600 * 8_000 + 400 * 3_000)
  })

  it('adds what the provider charges per request and per search', () => {
    const price = {
      ...simplePrice({ input: 1, output: 1 }),
      fees: { requestNanoUsd: 5_000, webSearchNanoUsd: 10_000_000 },
    }
    expect(costOf(price, completeUsage({}), { webSearches: 2 })).toBe(20_005_000)
  })

  it('saturates at the largest amount', () => {
    const price = simplePrice({ input: 10_000, output: 10_000 })
    const usage = completeUsage({ inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 1 })
    expect(costOf(price, usage)).toBe(Number.MAX_SAFE_INTEGER)
  })

  it.each([-1, Number.NaN, 1.5, '2', null, 2 ** 53])('refuses %j web searches', (webSearches) => {
    const extras = { webSearches: webSearches as number }
    expect(() => costOf(simplePrice({ input: 1, output: 1 }), completeUsage({}), extras)).toThrow(InvalidCallError)
    const question = { model: 'claude-sonnet-4-5', usage: {}, ...extras }
    expect(() => estimateCost(question)).toThrow(/webSearches is .* must be a whole number/)
  })

  it('saturates at the largest amount, however many searches there are', () => {
    const fees = { requestNanoUsd: 1, webSearchNanoUsd: 10_000_000 }
    const price = { ...simplePrice({ input: 1, output: 1 }), fees }
    const webSearches = Number.MAX_SAFE_INTEGER
    expect(costOf(price, completeUsage({}), { webSearches })).toBe(Number.MAX_SAFE_INTEGER)
    expect(worstCase({ price, inputTokens: 1, maxOutputTokens: 1, webSearches }).cost).toBe(Number.MAX_SAFE_INTEGER)
  })

  it.each([
    [0.1, 100_000],
    [3, 3_000_000],
    [0.01875, 18_750],
    [0.08333333333333334, 83_334],
    [1e-7, 1],
    [0.29, 290_000],
    [1.1, 1_100_000],
  ])('reads $%s per million as %s pico-USD per token', (usd, picoUsd) => {
    expect(picoUsdPerToken(usd)).toBe(picoUsd)
  })
})

describe('estimateCost', () => {
  const usage = { inputTokens: 1_000, outputTokens: 1_000 }

  it('charges a model without a price like the most expensive of its family if the book says so', () => {
    const book = createPriceBook({ unknownModels: 'estimate' })
    expect(estimateCost({ model: 'claude-99', usage, book })).toBe(180_000_000)
  })

  it.each(['refuse', 'tokens-only'] as const)('suggests only what helps under "%s"', (unknownModels) => {
    const ask = () => estimateCost({ model: 'claude-99', usage, book: createPriceBook({ unknownModels }) })
    expect(ask).toThrow(UnpricedModelError)
    expect(ask).toThrow('unknownModels "estimate".')
    expect(ask).toThrow('overrides: parsePrices({ "claude-99": { input: 3, output: 15 } })')
  })

  it('refuses a query without a model, and spots a misspelled field', () => {
    const book = createPriceBook({ unknownModels: 'estimate' })
    expect(() => estimateCost({ usage, book } as never)).toThrow(InvalidCallError)
    expect(() => estimateCost({ modle: 'claude-99', usage } as never)).toThrow('Did you mean model instead of modle?')
  })

  it('refuses a model without a price', () => {
    expect(() => estimateCost({ model: 'nobody-knows-me', usage: {} })).toThrow(UnpricedModelError)
  })

  it.each([
    [{ inputTokens: -1 }, 'usage.inputTokens is -1'],
    [{ inputTokens: 1.5 }, 'usage.inputTokens is 1.5'],
    [{ outputTokens: Number.NaN }, 'usage.outputTokens is NaN'],
    [{ outputTokens: '12' }, 'usage.outputTokens is "12"'],
    [{ input_tokens: 5 }, 'did you mean inputTokens?'],
    [{ outputTokens: 1, reasoningTokens: 2 }, 'usage.reasoningTokens is 2'],
    [null, 'must be an object'],
  ])('refuses the usage %j with its field and value', (usage, text) => {
    const ask = () => estimateCost({ model: 'claude-sonnet-4-5', usage: usage as never })
    expect(ask).toThrow(text)
    expect(ask).toThrow('estimateCost')
  })
})
