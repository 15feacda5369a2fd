import type { Limit } from '../core/index.ts'
import { decideUnpriced, type ModelPrice, scalePrice } from '../pricing/index.ts'
import type { ModelCallSpec } from './governor.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

export interface CallPrice {
  /** With its factor; `null` where the cost of the call is not counted. */
  readonly price: ModelPrice | null
  /** What becomes of the cost limits on the path where the model has no price; `null` where nothing is to be told. */
  readonly notice: string | null
}

/**
 * What a call is charged by. Throws `UnpricedModelError` where a cost limit on the path that a person wrote could not
 * be kept: a call that names neither a model nor a price has none.
 */
export function priceForCall(runtime: ScopeRuntime, spec: ModelCallSpec): CallPrice {
  const { price, priceFactor } = spec
  const found = price ? { price, notice: null } : lookedUp(runtime, spec)
  if (found.price === null || priceFactor === undefined) return found
  return { ...found, price: scalePrice(found.price, priceFactor) }
}

function lookedUp(runtime: ScopeRuntime, spec: ModelCallSpec): CallPrice {
  const { prices } = runtime.context
  const { model = 'unnamed' } = spec
  // Whoever says that there is no price knows better than the book.
  const known = spec.price === null ? null : prices.find(model, spec)
  if (known !== null) return { price: known, notice: null }
  const limits: readonly Limit[] = runtime.rootToSelf.flatMap((scope) => scope.limits)
  const decision = decideUnpriced({ ...spec, model, limits, book: { ...prices, find: () => null } })
  if (decision.kind === 'refuse') throw decision.error
  if (decision.kind === 'priced') return { price: decision.price, notice: null }
  return { price: decision.kind === 'estimate' ? decision.price : null, notice: decision.notice }
}
