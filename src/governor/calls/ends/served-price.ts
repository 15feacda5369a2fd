import { showValue } from '../../../core/index.ts'
import { dearerFactor, type ModelPrice, scalePrice } from '../../../pricing/index.ts'
import type { ModelCallSpec, ServedAs } from '../../call.ts'
import type { ScopeRuntime } from '../../scope/scope-runtime.ts'

/** What an answer costs by what it says of itself, beside what was asked for. */
export interface ServedPrice {
  /** `null`: nothing else than was asked for is known. */
  readonly price: ModelPrice | null
  /** What is to be told if it is dearer, or cannot be known. */
  readonly notice: string
}

/**
 * The price of an answer by the model and the tier that it names; `null` where it names nothing else than was asked for.
 * A price that the user wrote for the model that was asked for holds, whatever that is called elsewhere.
 */
export function servedPrice(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  asked: ModelPrice | null,
  { model, priceFactor }: ServedAs,
): ServedPrice | null {
  if (asked === null) return null
  const { prices } = runtime.context
  const isUsers = asked.origin === 'override' || Boolean(spec.price)
  const isOther = typeof model === 'string' && model !== '' && model !== spec.model && !isUsers
  const base = spec.price ?? (spec.model === undefined ? null : prices.find(spec.model, spec))
  const found = isOther ? prices.find(model, spec) : base
  const name = isOther ? `by the model ${showValue(model)}` : 'at a dearer tier'
  const notice = `answered ${name} where ${showValue(spec.model ?? 'unnamed')} was asked for`
  if (isOther && found === null) return { price: null, notice: `${notice}, and that has no price` }
  if (found === null || (!priceFactor && (!isOther || isSameRow(found, base)))) return null
  const factor = dearerFactor(spec.priceFactor, priceFactor)
  return { price: factor === undefined ? found : scalePrice(found, factor), notice }
}

function isSameRow(left: ModelPrice, right: ModelPrice | null): boolean {
  return right !== null && left.matchedModel === right.matchedModel && left.provider === right.provider
}
