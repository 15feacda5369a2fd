import { assertKnownOptions, optionNames } from '../core/assert-known-options.ts'
import { assertModel } from './assert-model.ts'
import { assertUsage } from './assert-usage.ts'
import { costOf } from './cost-of.ts'
import { type PriceQuestion, priceOfModel } from './price-of-model.ts'
import type { UnknownModels } from './unknown-models.ts'
import { UnpricedModelError } from './unpriced-model-error.ts'
import { completeUsage, type Usage } from './usage.ts'

// Counting tokens only gives no cost, so it is no way out here.
const HELPFUL: readonly UnknownModels[] = ['estimate']

export interface CostQuestion extends PriceQuestion {
  /** What is left out counts as 0. */
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
 * What this usage costs, in integer nano-USD. A model without a price costs what the dearest of its family does if the
 * book says `estimate`; otherwise `UnpricedModelError` is thrown.
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
