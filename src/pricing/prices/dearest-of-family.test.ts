import { findProvider, type ModelPrice as TableRow } from '@pydantic/genai-prices'
import { describe, expect, it } from 'vitest'
import { worstCase } from '../call/worst-case.ts'
import { PROVIDERS } from '../usage/providers.fixture.ts'
import { UNKNOWN_FAMILIES } from './dearest-of-family.ts'
import type { PriceFees, TokenPrices } from './model-price.ts'
import { parsePrices } from './overrides/parse-prices.ts'
import { picoUsdPerToken } from './pico-usd.ts'
import { createPriceBook } from './price-book.ts'
import { SUPPLEMENT } from './supplement.ts'
import { priceAt, type TieredPrice } from './tiered-price.ts'

const AT = new Date('2026-11-15T12:00:00Z')
const book = createPriceBook({ now: () => AT })

/** Base prices in USD per million tokens, as a price list prints them. */
function estimated(model: string) {
  const price = book.estimate(model)
  return [price.input.basePicoUsd / 1e6, price.output.basePicoUsd / 1e6]
}

// The kind of token that each key of the table prices. Media in the prompt counts only for calls that have some.
const KINDS: Readonly<Record<string, keyof TokenPrices>> = {
  input_mtok: 'input',
  input_audio_mtok: 'input',
  input_image_mtok: 'input',
  input_video_mtok: 'input',
  output_mtok: 'output',
  output_audio_mtok: 'output',
  output_image_mtok: 'output',
  output_video_mtok: 'output',
  output_reasoning_mtok: 'reasoning',
  cache_read_mtok: 'cacheRead',
  cache_audio_read_mtok: 'cacheRead',
  cache_image_read_mtok: 'cacheRead',
  cache_write_mtok: 'cacheWrite',
  cache_write_1h_mtok: 'cacheWrite1h',
}

// The fee that each key prices, in USD per thousand.
const FEES: Readonly<Record<string, keyof PriceFees>> = {
  requests_kcount: 'requestNanoUsd',
  web_searches_kcount: 'webSearchNanoUsd',
}

interface Listed {
  readonly model: string
  readonly kind: keyof TokenPrices
  readonly price: TieredPrice
}

function tieredPrice(value: NonNullable<TableRow[string]>): TieredPrice {
  if (typeof value === 'number') return { basePicoUsd: picoUsdPerToken(value), tiers: [] }
  const tiers = value.tiers.map((tier) => ({ aboveTokens: tier.start, picoUsd: picoUsdPerToken(tier.price) }))
  return { basePicoUsd: picoUsdPerToken(value.base), tiers }
}

const tableRows = PROVIDERS.flatMap((providerId) => findProvider({ providerId })!.models)
const datedRows = tableRows.flatMap(({ id, prices }) => {
  const rows = Array.isArray(prices) ? prices.map((entry) => entry.prices) : [prices]
  return rows.map((row) => ({ model: id.toLowerCase(), row }))
})
const tablePrices = datedRows.flatMap(({ model, row }): readonly Listed[] =>
  Object.entries(row).flatMap(([key, value]) =>
    Object.hasOwn(KINDS, key) && value !== undefined ? [{ model, kind: KINDS[key]!, price: tieredPrice(value) }] : [],
  ),
)
const tableFees = datedRows.flatMap(({ model, row }) =>
  Object.entries(FEES).flatMap(([key, fee]) => {
    const usdPerThousand = row[key]
    return typeof usdPerThousand === 'number' ? [{ model, fee, nanoUsd: Math.ceil(usdPerThousand * 1_000_000) }] : []
  }),
)
// Only published figures, not those that we fill in.
const supplementPrices = [...parsePrices(SUPPLEMENT)].flatMap(([model, entries]) => {
  const [written] = [SUPPLEMENT[model]!].flat()
  const kinds = [...new Set(Object.values(KINDS))].filter((kind) => Object.hasOwn(written!, kind))
  const current = entries.filter((entry) => entry.from === null || entry.from <= '2026-11-15')
  return current.flatMap((entry) => kinds.map((kind): Listed => ({ model, kind, price: entry[kind] })))
})

describe('the price of an unknown model', () => {
  it('is no lower than that of any model of its family in the table and the supplement, tier by tier', () => {
    const missed = new Set<string>()
    for (const { model, kind, price } of [...tablePrices, ...supplementPrices]) {
      if (!UNKNOWN_FAMILIES.some((family) => family.names.test(model))) continue
      const assumed = book.estimate(model, { hasMedia: true })[kind]
      for (const prompt of [0, ...price.tiers.map((tier) => tier.aboveTokens + 1), 10_000_000]) {
        if (priceAt(assumed, prompt) < priceAt(price, prompt)) missed.add(`${model} ${kind}`)
      }
    }
    expect([...missed]).toEqual([])
    expect(tablePrices.length).toBeGreaterThan(1_000)
  })

  it('has no lower fee than any model of its family; without a family, than any model at all', () => {
    const missed = tableFees.filter(({ model, fee, nanoUsd }) =>
      [model, 'nobody-knows-me'].some((name) => (book.estimate(name).fees[fee] ?? 0) < nanoUsd),
    )
    expect(missed).toEqual([])
    expect(new Set(tableFees.map(({ fee }) => fee)).size).toBe(2)
    expect(Math.max(...tableFees.map(({ nanoUsd }) => nanoUsd))).toBe(14_000_000)
  })

  it.each(['sonar-99', 'perplexity/next', 'pplx-99-online'])('for %s includes the fee per request', (model) => {
    const estimating = createPriceBook({ unknownModels: 'estimate', now: () => AT })
    expect(book.estimate(model).fees.requestNanoUsd).toBe(14_000_000)
    expect(worstCase({ model, book: estimating, inputTokens: 0, maxOutputTokens: 0 }).cost).toBe(14_000_000)
  })

  it('refers only to models with a price', () => {
    const unpriced = UNKNOWN_FAMILIES.flatMap(({ dearest, provider }) =>
      dearest.filter((model) => book.find(model, { provider }) === null),
    )
    expect(unpriced).toEqual([])
  })

  it('is the highest of all if its name indicates no family', () => {
    const assumed = book.estimate('nobody-knows-me', { hasMedia: true })
    const dearer = tablePrices.filter(({ kind, price }) => priceAt(assumed[kind], 0) < price.basePicoUsd)
    expect(dearer).toEqual([])
  })

  it.each([
    ['claude-sonnet-99', [30, 150]],
    ['gpt-99', [75, 180]],
    ['o1-pro-max', [150, 600]],
    ['openai/o9', [150, 600]],
    ['gemini-99', [4, 20]],
    ['gemini-99-image', [4, 120]],
    ['grok-99', [5, 25]],
    ['kimi-k99', [4.5, 22.5]],
    ['sonar-99', [3, 15]],
    ['nobody-knows-me', [150, 600]],
    ['__proto__', [150, 600]],
    ['', [150, 600]],
  ])('for %s is the highest of its family', (model, prices) => {
    expect(estimated(model)).toEqual(prices)
  })

  it('has the most expensive long-context tier of its family', () => {
    const price = book.estimate('gpt-99')
    expect([priceAt(price.input, 300_000), priceAt(price.output, 300_000)]).toEqual([75_000_000, 270_000_000])
  })

  it('follows prices that rise on a certain day', () => {
    const read = (at: string) => book.estimate('gemini-99', { at: new Date(at) }).output.basePicoUsd
    expect(read('2027-01-01T00:00:00Z')).toBeGreaterThanOrEqual(read('2026-11-15T00:00:00Z'))
  })

  it('is marked as an estimate, names its rows, and says nothing about the model’s abilities', () => {
    expect(book.estimate('claude-sonnet-99')).toMatchObject({
      model: 'claude-sonnet-99',
      origin: 'estimate',
      matchedModel: 'anthropic/claude-opus-4.7-fast, claude-opus-4-1',
      asOf: '2026-09-23',
      cacheWrites: 'marked',
      maxOutputTokens: null,
      contextWindow: null,
    })
  })

  it("does not fall with the user's own prices: a free model of theirs makes no other free", () => {
    const free = { input: 0, output: 0 }
    const dearest = UNKNOWN_FAMILIES.flatMap((family) => family.dearest)
    const overrides = parsePrices(Object.fromEntries(dearest.map((model) => [model, free])))
    const own = createPriceBook({ overrides, now: () => AT })
    expect(own.find('grok-3-fast')).toMatchObject({ origin: 'override' })
    for (const model of ['claude-99', 'grok-99', 'nobody-knows-me']) {
      expect(own.estimate(model)).toEqual(book.estimate(model))
    }
  })

  it('exists even for invalid names and times', () => {
    expect(book.estimate(undefined as never).output.basePicoUsd).toBe(600_000_000)
    expect(book.estimate('grok-99', { at: new Date(Number.NaN) })).toEqual(book.estimate('grok-99'))
  })
})
