import { showValue } from '../../core/errors.ts'
import { describeSource, type LimitSource } from '../../core/limits/limit-source.ts'
import { StintError } from '../../core/stint-error.ts'

/** A model has no price, but its cost must be known. */
export class UnpricedModelError extends StintError<'unpriced_model'> {
  readonly model: string
  /** Where the cost limit that needs the price was written; `null` if there is none. */
  readonly source: LimitSource | null

  /**
   * `helpful`: the choices for unknown models that would admit this call. `namedBy`: the untrusted file that names the
   * model.
   */
  constructor(
    model: string,
    problem: {
      readonly source?: LimitSource | null
      readonly helpful?: readonly string[]
      readonly namedBy?: string | null
    } = {},
  ) {
    const { source = null, helpful = ['estimate', 'tokens-only'], namedBy = null } = problem
    const why = source === null ? '' : `, and there is a cost limit: ${describeSource(source)}`
    const entry = `{ ${showValue(model)}: { input: 3, output: 15 } }`
    const price = source === null ? `createPriceBook({ overrides: parsePrices(${entry}) })` : `prices: ${entry}`
    const who = namedBy === null ? '' : `, and an untrusted file names it (${namedBy})`
    const otherwise =
      namedBy === null
        ? otherwiseText(source, helpful)
        : 'use another model (--model), or check what the folder requests: stint trust'
    super(
      'unpriced_model',
      `The model ${showValue(model)} has no price${why}${who}. Add one, e.g. ${price} (USD per million tokens; 0 and 0 if it is free), ` +
        `or ${otherwise}.`,
    )
    this.model = model
    this.source = source
  }
}

/** Advice that also works on the command line, where only limits and prices can be written. */
function otherwiseText(source: LimitSource | null, helpful: readonly string[]): string {
  if (source !== null) return 'remove the cost limit'
  return `choose what the price book does with unknown models: unknownModels ${helpful.map((word) => `"${word}"`).join(' or ')}`
}
