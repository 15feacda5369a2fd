import type { ModelPrice } from './model-price.ts'
import type { PriceBook, PriceQuery } from './price-book.ts'

// The dearest models of each family that anybody still calls. The last row is for families that nobody knows.
const DEAREST: readonly (readonly [family: RegExp, model: string])[] = [
  [/claude|anthropic/, 'claude-opus-4-1'],
  [/gpt|codex|(?:^|\/)o\d/, 'gpt-5.5-pro'],
  [/gemini|gemma/, 'gemini-4-argon'],
  [/grok/, 'grok-4'],
  [/(?:)/, 'gpt-5.5-pro'],
]

/** The price to assume for a model without one: that of the dearest model of its family. */
export function dearestOfFamily(book: PriceBook, model: string, query: PriceQuery): ModelPrice {
  const name = model.slice(0, 200).toLowerCase()
  const [, dearest] = DEAREST.find(([family]) => family.test(name))!
  const price = book.find(dearest, { at: query.at, hasMedia: query.hasMedia })
  if (price === null) throw new Error(`The price book has lost ${dearest}, which stands for unknown models.`)
  return { ...price, model, note: `No price is known for this model: charged like ${price.matchedModel}.` }
}
