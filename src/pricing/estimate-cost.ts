import { assertUsage } from './assert-usage.ts'
import { costOf } from './cost-of.ts'
import { DEFAULT_PRICE_BOOK, type PriceBook, type PriceQuery } from './price-book.ts'
import { UnpricedModelError } from './unpriced-model-error.ts'
import { completeUsage, type Usage } from './usage.ts'

export interface CostQuestion extends PriceQuery {
  readonly model: string
  /** What is left out counts as 0. */
  readonly usage: Partial<Usage>
  readonly webSearches?: number | undefined
  readonly book?: PriceBook | undefined
}

/** What this usage costs, in integer nano-USD. Throws `UnpricedModelError` for a model without a price. */
export function estimateCost(question: CostQuestion): number {
  const { model, usage, webSearches = 0, book = DEFAULT_PRICE_BOOK } = question
  assertUsage(usage, 'estimateCost')
  const price = book.find(model, question)
  if (price === null) throw new UnpricedModelError(model)
  return costOf(price, completeUsage(usage), { webSearches })
}
