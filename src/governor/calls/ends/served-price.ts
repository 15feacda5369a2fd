import { showValue } from '../../../core/index.ts'
import { dearerFactor, type ModelPrice, scalePrice } from '../../../pricing/index.ts'
import type { ModelCallSpec, ServedBy } from '../../call.ts'
import type { ScopeRuntime } from '../../scope/scope-runtime.ts'

/** What an answer costs according to what it says about itself, if that differs from the request. */
export interface ServedPrice {
  /** `null`: the price is not known. */
  readonly price: ModelPrice | null
  /** What to report if it is more expensive, or unknown. */
  readonly notice: string
}

/**
 * The price of an answer by the model and the tier it names; `null` if both are as requested. A price that the user set
 * for the requested model holds, whatever the provider calls the model.
 */
export function servedPrice(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  asked: ModelPrice | null,
  { model, priceFactor }: ServedBy,
): ServedPrice | null {
  if (asked === null) return null
  const { prices } = runtime.context
  const isUsers = asked.origin === 'override' || Boolean(spec.price)
  const isOther = typeof model === 'string' && model !== '' && model !== spec.model && !isUsers
  if (!isOther && !priceFactor) return null
  const base = spec.price ?? (spec.model === undefined ? null : prices.find(spec.model, spec))
  const found = isOther ? prices.find(model, spec) : base
  const requested = showValue(spec.model ?? 'unnamed')
  const answerer = isOther ? `${showValue(model)} instead of ${requested}` : `${requested} at a more expensive tier`
  const notice = `answered by ${answerer}`
  if (isOther && found === null) return { price: null, notice: `${notice}: ${showValue(model)} has no price` }
  if (found === null || (!priceFactor && isSameRow(found, base))) return null
  const factor = dearerFactor(spec.priceFactor, priceFactor)
  return { price: factor === undefined ? found : scalePrice(found, factor), notice }
}

function isSameRow(left: ModelPrice, right: ModelPrice | null): boolean {
  return right !== null && left.matchedModel === right.matchedModel && left.provider === right.provider
}
