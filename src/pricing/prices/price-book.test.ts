import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { InvalidCallError } from '../call/invalid-call-error.ts'
import { KNOWN_MODELS } from './known-models.fixture.ts'
import { parsePrices } from './overrides/parse-prices.ts'
import { createPriceBook, DEFAULT_PRICE_BOOK, type PriceBook } from './price-book.ts'
import { TABLE_VERSION } from './table-price.ts'

const AT = new Date('2026-11-15T12:00:00Z')
const book = createPriceBook({ now: () => AT })

/** Base prices in USD per million tokens, as a price list prints them. */
function listPrices(model: string, from: PriceBook = book, at: Date = AT) {
  const price = from.find(model, { at })
  return price === null ? null : [price.input.basePicoUsd / 1e6, price.output.basePicoUsd / 1e6]
}

describe('the price book', () => {
  it.each(Object.entries(KNOWN_MODELS))('prices every model that %s uses', (_, models) => {
    expect(models.filter((model) => book.find(model) === null)).toEqual([])
  })

  it('keeps the row, the origin and the date of the data with each price', () => {
    expect(book.find('claude-sonnet-4-5-20250929')).toMatchObject({
      model: 'claude-sonnet-4-5-20250929',
      matchedModel: 'claude-sonnet-4-5',
      provider: 'anthropic',
      origin: 'table',
      asOf: '2026-09-23',
    })
    expect(book.find('claude-haiku-5-5')).toMatchObject({ origin: 'supplement', asOf: '2026-11-15' })
  })

  it('states the date of the version of the price package that is installed', () => {
    const manifest = readFileSync('node_modules/@pydantic/genai-prices/package.json', 'utf8')
    expect(JSON.parse(manifest).version).toBe(TABLE_VERSION)
  })

  it('has the five price classes and the long-context tier of a model as whole pico-USD per token', () => {
    const tier = (picoUsd: number) => [{ aboveTokens: 200_000, picoUsd }]
    expect(book.find('claude-sonnet-4-5')).toMatchObject({
      input: { basePicoUsd: 3_000_000, tiers: tier(6_000_000) },
      output: { basePicoUsd: 15_000_000, tiers: tier(22_500_000) },
      cacheRead: { basePicoUsd: 300_000, tiers: tier(600_000) },
      cacheWrite: { basePicoUsd: 3_750_000, tiers: tier(7_500_000) },
      cacheWrite1h: { basePicoUsd: 6_000_000, tiers: tier(12_000_000) },
      cacheWrites: 'marked',
      fees: { requestNanoUsd: 0, webSearchNanoUsd: 10_000_000 },
    })
  })

  it.each([
    ['anthropic/claude-sonnet-4-5', [3, 15]],
    ['openrouter/anthropic/claude-sonnet-4.5', [3, 15]],
    ['claude-sonnet-4-5[1m]', [3, 15]],
    ['CLAUDE-SONNET-4-5', [3, 15]],
    ['claude-sonnet-4-5@20250929', [3, 15]],
    ['models/gemini-2.5-pro', [1.25, 10]],
    ['projects/p/locations/global/publishers/google/models/gemini-2.5-pro', [1.25, 10]],
    ['openai/gpt-5.5', [5, 30]],
    ['gpt-6.1-sol-2026-09-29', [2, 10]],
    // Regional endpoints of Bedrock cost a tenth more, global ones do not.
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', [3.3, 16.5]],
    ['arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0', [3.3, 16.5]],
    ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', [3, 15]],
    ['eu.anthropic.claude-haiku-5-5', [0.11, 0.55]],
  ])('understands the name %s', (model, prices) => {
    expect(listPrices(model)).toEqual(prices)
  })

  it('prices a model by the provider that the caller names', () => {
    expect(book.find('openai/gpt-oss-120b', { provider: 'groq' })).toMatchObject({ provider: 'groq' })
    expect(book.find('openai/gpt-oss-120b')).toMatchObject({ provider: 'openai' })
    expect(book.find('claude-sonnet-4-5', { provider: 'nobody-knows' })).toMatchObject({ provider: 'anthropic' })
  })

  it('finds the models of Perplexity by their bare names, with the fee of each request', () => {
    for (const model of ['sonar-pro', 'perplexity/sonar-pro']) {
      expect(book.find(model)).toMatchObject({ provider: 'perplexity', fees: { requestNanoUsd: 14_000_000 } })
    }
    expect(book.find('sonar')).toMatchObject({ provider: 'perplexity', fees: { requestNanoUsd: 12_000_000 } })
  })

  it('does not use the price of one generation for the next', () => {
    expect(book.find('claude-sonnet-5-5')).toMatchObject({ matchedModel: 'claude-sonnet-5-5', origin: 'supplement' })
    for (const model of [
      'claude-sonnet-6',
      'claude-sonnet-5-9',
      'claude-haiku-4-5-7',
      'claude-opus-4-6-fast',
      'gpt-7',
    ]) {
      expect(book.find(model), model).toBeNull()
    }
  })

  it('knows what a model costs on a given day, and when the price rises', () => {
    expect(listPrices('gemini-4-argon', book, new Date('2026-11-30T23:59:59Z'))).toEqual([2, 10])
    expect(listPrices('gemini-4-argon', book, new Date('2026-12-01T00:00:00Z'))).toEqual([4, 20])
    expect(listPrices('gemini-3.8-flash', book, new Date('2026-12-31T12:00:00Z'))).toEqual([0.75, 3.75])
    expect(listPrices('gemini-3.8-flash', book, new Date('2027-01-01T12:00:00Z'))).toEqual([1.5, 7.5])
  })

  it('knows prices that change by the hour, and does not cache them', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 10, 15, hour, 45)))
    const prices = hours.map((at) => book.find('deepseek-v4-pro', { at })!.output.basePicoUsd)
    expect(new Set(prices).size).toBeGreaterThan(1)
    expect(hours.map((at) => book.find('deepseek-v4-pro', { at })!.output.basePicoUsd)).toEqual(prices)
  })

  it('charges images, speech and other media at the highest price that the call can incur', () => {
    expect(listPrices('gemini-2.5-flash-image')).toEqual([0.3, 30])
    expect(book.find('gemini-2.5-flash')!.input.basePicoUsd).toBe(300_000)
    expect(book.find('gemini-2.5-flash', { hasMedia: true })!.input.basePicoUsd).toBe(1_000_000)
  })

  it('rounds a price up to whole pico-USD', () => {
    const price = book.find('google/gemini-2.5-flash-lite', { provider: 'openrouter' })!
    expect(price.cacheWrite.basePicoUsd).toBe(83_334)
  })

  it('does not treat an empty row of the table as a price of 0', () => {
    expect(book.find('gemma-4-31b-it', { provider: 'google' })).toBeNull()
    const free = createPriceBook({ overrides: parsePrices({ 'gemma-4-31b-it': { input: 0, output: 0 } }) })
    expect(listPrices('gemma-4-31b-it', free)).toEqual([0, 0])
  })

  it.each([
    ['__proto__'],
    ['constructor'],
    ['toString'],
    [''],
    [' '],
    ['a\u0000b'],
    ['claude\nsonnet'],
    ['claude-sonnet-4-5 '.repeat(10_000)],
    ['/'.repeat(150)],
    ['a/b/c/d/e/f'],
    ['‮claude-sonnet-4-5'],
  ])('finds nothing for a hostile name, and does not throw (%#)', (model) => {
    expect(book.find(model)).toBeNull()
    expect(book.find('claude-sonnet-4-5', { provider: model })?.provider ?? null).not.toBe(model)
  })

  it('does not throw for invalid names and times', () => {
    for (const model of [undefined, null, 7, {}, ['claude-sonnet-4-5']]) expect(book.find(model as never)).toBeNull()
    expect(book.find('claude-sonnet-4-5', { at: new Date(Number.NaN) })).toBeNull()
  })

  it('gives the same answer from its cache, however many names were looked up in between', () => {
    const first = book.find('claude-sonnet-4-5')
    for (let index = 0; index < 1_100; index++) book.find(`nobody-${index}`)
    expect(book.find('claude-sonnet-4-5')).toEqual(first)
  })

  it('prefers the user’s price, for every way to write the name', () => {
    const own = createPriceBook({ overrides: parsePrices({ 'claude-sonnet-4-5': { input: 1, output: 2 } }) })
    expect(own.find('anthropic/claude-sonnet-4-5')).toMatchObject({ origin: 'override', asOf: null })
    expect(listPrices('claude-sonnet-4-5[1m]', own)).toEqual([1, 2])
    expect(listPrices('claude-opus-5-5', own)).toEqual([4, 20])
  })

  it.each([
    'claude-sonnet-4-5-20250929',
    'claude-sonnet-4-5-latest',
    'claude-sonnet-4.5',
    'anthropic/claude-sonnet-4.5',
    'openrouter/anthropic/claude-sonnet-4.5',
    'claude-sonnet-4-5@20250929',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  ])("uses the user's price of claude-sonnet-4-5 for %s too", (model) => {
    for (const written of ['claude-sonnet-4-5', 'claude-sonnet-4.5']) {
      const own = createPriceBook({ overrides: parsePrices({ [written]: { input: 1, output: 2 } }) })
      expect(own.find(model)).toMatchObject({ model, origin: 'override', output: { basePicoUsd: 2_000_000 } })
    }
  })

  it("uses the user's price of a row for every name that the table matches to it", () => {
    const own = createPriceBook({ overrides: parsePrices({ 'grok-4-0709': { input: 1, output: 2 } }) })
    expect(book.find('grok-4')).toMatchObject({ matchedModel: 'grok-4-0709' })
    expect(listPrices('grok-4', own)).toEqual([1, 2])
  })

  it("uses the user's price under the nearest name, and not for other models", () => {
    const own = createPriceBook({
      overrides: parsePrices({
        'claude-sonnet-4-5': { input: 1, output: 2 },
        'claude-sonnet-4-5-20250929': { input: 3, output: 4 },
        'gpt-4.1': { input: 5, output: 6 },
        'gpt-4-1': { input: 7, output: 8 },
      }),
    })
    expect(listPrices('claude-sonnet-4-5-20250929', own)).toEqual([3, 4])
    expect(listPrices('claude-sonnet-4-5-20260101', own)).toEqual([1, 2])
    expect(listPrices('gpt-4.1-2025-04-14', own)).toEqual([5, 6])
    expect(listPrices('claude-sonnet-4-6', own)).toEqual(listPrices('claude-sonnet-4-6'))
    expect(listPrices('claude-sonnet-4-5-fast', own)).toBeNull()
  })

  it('refuses an invalid choice for unknown models, with a suggestion', () => {
    const create = () => createPriceBook({ unknownModels: 'estimat' as never })
    expect(create).toThrow(InvalidCallError)
    expect(create).toThrow('Price book: unknownModels is "estimat"')
    expect(create).toThrow('Did you mean "estimate"?')
  })
})

describe('Claude on Bedrock', () => {
  it.each([
    'anthropic.claude-sonnet-4-5-20250929-v1:0',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'bedrock/global.anthropic.claude-sonnet-4-5-20250929-v1:0',
  ])('%s has the long-prompt surcharge of Anthropic if its own row has none', (model) => {
    const at = new Date('2026-11-15T00:00:00Z')
    const vendor = DEFAULT_PRICE_BOOK.find('claude-sonnet-4-5', { at })!
    const hosted = DEFAULT_PRICE_BOOK.find(model, { at })!
    expect(hosted.provider).toBe('aws')
    for (const kind of ['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h'] as const) {
      const [tier] = hosted[kind].tiers
      expect(tier).toMatchObject({ aboveTokens: 200_000 })
      const times = vendor[kind].tiers[0]!.picoUsd / vendor[kind].basePicoUsd
      expect(tier!.picoUsd / hosted[kind].basePicoUsd).toBeCloseTo(times, 5)
    }
  })

  it('has no tier if Anthropic has none', () => {
    expect(DEFAULT_PRICE_BOOK.find('us.anthropic.claude-opus-4-6-v1:0')!.input.tiers).toEqual([])
  })
})
