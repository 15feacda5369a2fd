import { decideChecked } from '../../pricing/decide-unpriced.ts'
import { type ModelPrice, scalePrice } from '../../pricing/index.ts'
import type { ModelCallSpec } from '../call.ts'
import { limitsOnPath } from '../scope/path-standings.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'

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
  const { price, model = 'unnamed', priceFactor } = spec
  const found = price ? { price, notice: null } : lookedUp(runtime, { ...spec, model })
  if (found.price === null || priceFactor === undefined) return found
  return { ...found, price: scalePrice(found.price, priceFactor) }
}

function lookedUp(runtime: ScopeRuntime, spec: ModelCallSpec & { readonly model: string }): CallPrice {
  const { prices } = runtime.context
  // Whoever says that there is no price knows better than the book.
  const book = spec.price === null ? { ...prices, find: () => null } : prices
  const decision = decideChecked({ ...spec, limits: limitsOnPath(runtime), book })
  if (decision.kind === 'refuse') throw decision.error
  if (decision.kind === 'priced') return { price: decision.price, notice: null }
  return { price: decision.kind === 'estimate' ? decision.price : null, notice: decision.notice }
}
