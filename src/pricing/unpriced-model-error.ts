import { showValue } from '../core/errors.ts'
import { describeSource, type LimitSource } from '../core/limit-source.ts'
import { StintError } from '../core/stint-error.ts'
import type { UnknownModels } from './unknown-models.ts'

export interface UnpricedProblem {
  /** Where the cost limit was written that needs the price. */
  readonly source?: LimitSource | null
  /** The choices for unknown models under which this very call would go on. */
  readonly helpful?: readonly UnknownModels[]
}

/** A model has no price, but its cost has to be known. */
export class UnpricedModelError extends StintError {
  readonly model: string
  /** Where the cost limit was written that needs the price; `null` if none did. */
  readonly source: LimitSource | null

  constructor(model: string, problem: UnpricedProblem = {}) {
    const { source = null, helpful = ['estimate', 'tokens-only'] } = problem
    const why = source === null ? '' : `, and there is a cost limit: ${describeSource(source)}`
    const entry = `{ ${showValue(model)}: { input: 3, output: 15 } }`
    const price = source === null ? `createPriceBook({ overrides: parsePrices(${entry}) })` : `prices: ${entry}`
    const words = helpful.map((word) => `"${word}"`).join(' or ')
    super(
      'unpriced_model',
      `The model ${showValue(model)} has no price${why}. Add one, e.g. ${price} (USD per million tokens), ` +
        `or choose what the price book does with unknown models: unknownModels ${words}.`,
    )
    this.model = model
    this.source = source
  }
}
