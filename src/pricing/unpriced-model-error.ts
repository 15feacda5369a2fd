import { showValue } from '../core/errors.ts'
import { describeSource, type LimitSource } from '../core/limit-source.ts'
import { StintError } from '../core/stint-error.ts'
import type { UnknownModels } from './unknown-models.ts'

export interface UnpricedProblem {
  /** Where the cost limit was written that needs the price. */
  readonly source?: LimitSource | null
  /** The choices for unknown models under which this very call would go on. */
  readonly helpful?: readonly UnknownModels[]
  /** Where an untrusted file names the model; `null` where none does. */
  readonly namedBy?: string | null
}

/** A model has no price, but its cost has to be known. */
export class UnpricedModelError extends StintError {
  readonly model: string
  /** Where the cost limit was written that needs the price; `null` if none did. */
  readonly source: LimitSource | null

  constructor(model: string, problem: UnpricedProblem = {}) {
    const { source = null, helpful = ['estimate', 'tokens-only'], namedBy = null } = problem
    const why = source === null ? '' : `, and there is a cost limit: ${describeSource(source)}`
    const entry = `{ ${showValue(model)}: { input: 3, output: 15 } }`
    const price = source === null ? `createPriceBook({ overrides: parsePrices(${entry}) })` : `prices: ${entry}`
    const who = namedBy === null ? '' : `, and it is named by a file that is not trusted (${namedBy})`
    const otherwise =
      namedBy === null
        ? otherwiseText(source, helpful)
        : 'take another model (--model), or look at what the folder asks for: stint trust'
    super(
      'unpriced_model',
      `The model ${showValue(model)} has no price${why}${who}. Add one, e.g. ${price} (USD per million tokens; 0 and 0 where it is free), ` +
        `or ${otherwise}.`,
    )
    this.model = model
    this.source = source
  }
}

/** What helps at the command line, too, where only limits and prices can be written. */
function otherwiseText(source: LimitSource | null, helpful: readonly UnknownModels[]): string {
  if (source !== null) return 'leave the cost limit out'
  return `choose what the price book does with unknown models: unknownModels ${helpful.map((word) => `"${word}"`).join(' or ')}`
}
