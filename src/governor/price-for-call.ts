import type { Limit } from '../core/index.ts'
import { decideUnpriced, type ModelPrice, scalePrice } from '../pricing/index.ts'
import type { ModelCallSpec } from './governor.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * The price of a call with its factor, `null` where its cost is not counted. Throws `UnpricedModelError` where a cost limit on the path
 * that a person wrote could not be kept: a call that names neither a model nor a price has none.
 */
export function priceForCall(runtime: ScopeRuntime, spec: ModelCallSpec): ModelPrice | null {
  const { price, model = 'unnamed', priceFactor } = spec
  const found = price ?? lookedUp(runtime, { ...spec, model })
  return found !== null && priceFactor !== undefined ? scalePrice(found, priceFactor) : found
}

function lookedUp(runtime: ScopeRuntime, spec: ModelCallSpec & { readonly model: string }): ModelPrice | null {
  const { prices } = runtime.context
  const limits: readonly Limit[] = runtime.rootToSelf.flatMap((scope) => scope.limits)
  // Whoever says that there is no price knows better than the book.
  const book = spec.price === null ? { ...prices, find: () => null } : prices
  const decision = decideUnpriced({ ...spec, limits, book })
  if (decision.kind === 'refuse') throw decision.error
  return decision.kind === 'priced' || decision.kind === 'estimate' ? decision.price : null
}
