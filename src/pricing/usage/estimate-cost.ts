import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import { assertModel } from '../call/assert-model.ts'
import type { PriceBook, PriceQuery } from '../prices/price-book.ts'
import { priceOfModel } from '../prices/price-of-model.ts'
import type { UnknownModels } from '../prices/unknown-models.ts'
import { UnpricedModelError } from '../prices/unpriced-model-error.ts'
import { assertUsage } from './assert-usage.ts'
import { costOf } from './cost-of.ts'
import { completeUsage, type Usage } from './usage.ts'

// Counting only tokens gives no cost, so it doesn't help here.
const HELPFUL: readonly UnknownModels[] = ['estimate']

export interface CostQuestion extends PriceQuery {
  readonly model: string
  readonly book?: PriceBook | undefined
  /** Absent fields count as 0. */
  readonly usage: Partial<Usage>
  readonly webSearches?: number | undefined
  readonly fileSearches?: number | undefined
}

const QUESTION = optionNames<CostQuestion>({
  model: true,
  usage: true,
  webSearches: true,
  fileSearches: true,
  book: true,
  provider: true,
  at: true,
  hasMedia: true,
})

/**
 * The cost of this usage, in integer nano-USD. A model without a price is charged like the most expensive of its family
 * if the book says `estimate`; otherwise throws `UnpricedModelError`.
 */
export function estimateCost(question: CostQuestion): number {
  const { model, usage, webSearches = 0, fileSearches = 0 } = question
  assertModel(question, 'estimateCost', ['model'])
  assertKnownOptions('estimateCost', question, QUESTION)
  assertUsage(usage, 'estimateCost')
  const price = priceOfModel(question, HELPFUL)
  if (price === null) throw new UnpricedModelError(model, { helpful: HELPFUL })
  return costOf(price, completeUsage(usage), { webSearches, fileSearches })
}
