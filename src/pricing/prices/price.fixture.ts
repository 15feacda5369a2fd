import fc from 'fast-check'
import type { Usage } from '../usage/usage.ts'
import type { ModelPrice } from './model-price.ts'
import { parsePrices } from './overrides/parse-prices.ts'
import type { TieredPrice } from './tiered-price.ts'

const [entry] = parsePrices({ fixture: { input: 1, output: 1, request: 0, webSearch: 0 } }).get('fixture')!
const { from: _, ...base } = entry!
const BASE: ModelPrice = { ...base, model: 'fixture', matchedModel: 'fixture', origin: 'override' }

/** A price from figures in USD per million tokens, without fees or unmarked cache writes. */
export function simplePrice(written: Readonly<Record<string, unknown>>): ModelPrice {
  const plain = { request: 0, webSearch: 0, per: '1M', cacheWrites: 'marked' }
  const [simple] = parsePrices({ fixture: { ...plain, ...written } }).get('fixture')!
  const { from: _from, ...price } = simple!
  return { ...BASE, ...price }
}

// Higher tiers are never cheaper: no provider does that, and only then does a longer prompt never cost less.
const arbitraryTiered: fc.Arbitrary<TieredPrice> = fc
  .record({
    base: fc.nat(100_000_000),
    steps: fc.array(fc.tuple(fc.integer({ min: 1, max: 300_000 }), fc.nat(50_000_000)), { maxLength: 2 }),
  })
  .map(({ base: basePicoUsd, steps }) => {
    let aboveTokens = 0
    let picoUsd = basePicoUsd
    const tiers = steps.map(([tokens, more]) => {
      aboveTokens += tokens
      picoUsd += more
      return { aboveTokens, picoUsd }
    })
    return { basePicoUsd, tiers }
  })

/** Any price: classes in any relation to each other, rising tiers, fees. */
export const arbitraryPrice: fc.Arbitrary<ModelPrice> = fc
  .record({
    input: arbitraryTiered,
    output: arbitraryTiered,
    cacheRead: arbitraryTiered,
    cacheWrite: arbitraryTiered,
    cacheWrite1h: arbitraryTiered,
    reasoning: fc.option(arbitraryTiered, { nil: undefined }),
    cacheWrites: fc.constantFrom('marked' as const, 'automatic' as const),
    fees: fc.record({ requestNanoUsd: fc.nat(10_000_000), webSearchNanoUsd: fc.nat(50_000_000) }),
  })
  .map(({ reasoning, ...price }) => ({ ...BASE, ...price, reasoning: reasoning ?? price.output }))

const tokens = fc.nat(400_000)

/** Any usage, with reasoning inside the output. */
export const arbitraryUsage: fc.Arbitrary<Usage> = fc
  .record({
    inputTokens: tokens,
    outputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
    cacheWrite1hTokens: tokens,
    reasoning: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ reasoning, ...usage }) => ({ ...usage, reasoningTokens: Math.floor(usage.outputTokens * reasoning) }))
