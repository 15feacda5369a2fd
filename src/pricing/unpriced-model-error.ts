import { showValue } from '../core/errors.ts'
import { describeSource, type LimitSource } from '../core/limit-source.ts'
import { StintError } from '../core/stint-error.ts'

/** A model has no price, but its cost has to be known. */
export class UnpricedModelError extends StintError {
  readonly model: string
  /** Where the cost limit was written that needs the price; `null` if none did. */
  readonly source: LimitSource | null

  constructor(model: string, source: LimitSource | null = null) {
    const why = source === null ? '' : `, and there is a cost limit: ${describeSource(source)}`
    super(
      'unpriced_model',
      `The model ${showValue(model)} has no price${why}. Add one, e.g. prices: { ${showValue(model)}: { input: 3, output: 15 } } ` +
        '(USD per million tokens), or choose what happens to unknown models: unknownModels "estimate" or "tokens-only".',
    )
    this.model = model
    this.source = source
  }
}
