import type { ModelPrice } from './model-price.ts'
import { DEFAULT_PRICE_BOOK, type PriceBook, type PriceQuery } from './price-book.ts'
import type { UnknownModels } from './unknown-models.ts'
import { UnpricedModelError } from './unpriced-model-error.ts'

interface PriceQuestion extends PriceQuery {
  readonly model: string
  readonly book?: PriceBook | undefined
}

/**
 * The price that a model is charged at: its own, or what the book chose for models without one; `null` for tokens only.
 * Throws `UnpricedModelError` if the book refuses; `helpful` are the choices that its message may suggest.
 */
export function priceOfModel(question: PriceQuestion, helpful: readonly UnknownModels[]): ModelPrice | null {
  const { model, book = DEFAULT_PRICE_BOOK } = question
  const price = book.find(model, question)
  if (price !== null || book.unknownModels === 'tokens-only') return price
  if (book.unknownModels === 'estimate') return book.estimate(model, question)
  throw new UnpricedModelError(model, { helpful })
}
