import { findProvider, type ModelPrice as TableRow } from '@pydantic/genai-prices'
import { describe, expect, it } from 'vitest'
import { worstCase } from '../call/worst-case.ts'
import { PROVIDERS } from '../usage/providers.fixture.ts'
import { parsePrices } from './overrides/parse-prices.ts'
import { createPriceBook } from './price-book.ts'
import { SUPPLEMENT } from './supplement.ts'
import { priceAt } from './tiered-price.ts'

const AT = new Date('2026-11-15T12:00:00Z')
const PROMPTS = [0, 100_001, 200_001, 300_000]
const book = createPriceBook({ now: () => AT })

/**
 * Whether the list itself has a price for cache writes, which may be any figure (claude-3-haiku: 1.2 times the input).
 */
function isListed(rows: readonly TableRow[]): boolean {
  return rows.some((row) => row.cache_write_mtok !== undefined)
}

const claudeRows = PROVIDERS.flatMap((providerId) =>
  findProvider({ providerId })!.models.flatMap(({ id, prices }) => {
    if (!id.includes('claude')) return []
    const rows = Array.isArray(prices) ? prices.map((entry) => entry.prices) : [prices]
    return [{ id, providerId, isListed: isListed(rows) }]
  }),
)

describe('the price of a cache write that no list states', () => {
  it('is 1.25 times the input for every Claude in the table, tier by tier', () => {
    const below = claudeRows.filter(({ id, providerId, isListed: isStated }) => {
      const price = book.find(id, { provider: providerId })
      if (price === null || isStated) return false
      return PROMPTS.some((prompt) => priceAt(price.cacheWrite, prompt) < priceAt(price.input, prompt) * 1.25)
    })
    expect(below).toEqual([])
    expect(claudeRows.filter((row) => !row.isListed).length).toBeGreaterThan(10)
  })

  it.each([
    ['anthropic/claude-3.5-sonnet', 'openrouter', 3_750_000],
    ['regional.anthropic.claude-3-opus-20240229-v1:0', 'aws', 18_750_000],
    ['regional.anthropic.claude-3-haiku-20240307-v1:0', 'aws', 312_500],
  ])('of %s at %s is %d pico-USD', (model, provider, picoUsd) => {
    expect(book.find(model, { provider })).toMatchObject({ provider, cacheWrite: { basePicoUsd: picoUsd } })
  })

  it('keeps a stated price', () => {
    expect(book.find('claude-3-haiku')).toMatchObject({
      input: { basePicoUsd: 250_000 },
      cacheWrite: { basePicoUsd: 300_000 },
    })
  })

  it('is that of plain input for other providers, who do not bill writes separately', () => {
    for (const model of ['gpt-4o', 'gemini-2.5-pro', 'gemini-4-argon', 'grok-4.7', 'gpt-5.3-codex-spark']) {
      const price = book.find(model)!
      expect({ model, write: price.cacheWrite }).toEqual({ model, write: price.input })
    }
  })

  it.each(['claude-sonnet-4-5', 'my-model'])(
    'is 1.25 times the input for the price that a user writes of %s',
    (name) => {
      const written = { input: 3, output: 15, tiers: [{ above: 200_000, input: 6.000001 }] }
      const [entry] = parsePrices({ [name]: written }).get(name)!
      expect(entry!.cacheWrite).toEqual({
        basePicoUsd: 3_750_000,
        tiers: [{ aboveTokens: 200_000, picoUsd: 7_500_002 }],
      })
      const overrides = parsePrices({ [name]: written })
      const call = { model: name, book: createPriceBook({ overrides }), inputTokens: 1_000, maxOutputTokens: 0 }
      expect(worstCase({ ...call, cacheMark: '5m' }).cost).toBe(3_750_000)
    },
  )

  it('changes nothing for a user’s Claude model without a cache mark', () => {
    const overrides = parsePrices({ 'claude-sonnet-4-5': { input: 3, output: 15 } })
    const call = { book: createPriceBook({ overrides }), inputTokens: 1_000, maxOutputTokens: 0 }
    expect(worstCase({ ...call, model: 'claude-sonnet-4-5' }).cost).toBe(3_000_000)
    expect(worstCase({ ...call, model: 'anthropic/claude-sonnet-4.5', cacheMark: '1h' }).cost).toBe(6_000_000)
  })

  it('is stated for every Claude model in the supplement', () => {
    const silent = Object.entries(SUPPLEMENT).filter(
      ([name, prices]) => name.includes('claude') && [prices].flat().some((price) => price.cacheWrite === undefined),
    )
    expect(silent).toEqual([])
  })
})
