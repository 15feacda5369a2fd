import type { Limit } from '../../core/index.ts'
import { type ModelPrice, scalePrice } from '../../pricing/index.ts'
import { decideWithoutPrice } from '../../pricing/prices/decide-unpriced.ts'
import type { ModelCallSpec } from '../call.ts'
import { limitsOnPath } from '../scope/path/path-standings.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'

export interface CallPrice {
  /** Includes its factor; `null` if the cost of the call is not counted. */
  readonly price: ModelPrice | null
  /** What happens to the cost limits on the path if the model has no price; `null` if there is nothing to report. */
  readonly notice: string | null
}

/**
 * The price of a call. Throws `UnpricedModelError` if a cost limit that a person set on the path could not be enforced:
 * a call that names neither a model nor a price has none.
 */
export function priceForCall(runtime: ScopeRuntime, spec: ModelCallSpec): CallPrice {
  const { model = 'unnamed', provider, at, hasMedia, priceFactor } = spec
  // A caller that says there is no price overrides the book.
  const { price = runtime.context.prices.find(model, { provider, at, hasMedia }) } = spec
  const found = price ? { price, notice: null } : assumedPrice(runtime, { ...spec, model })
  if (found.price === null || priceFactor === undefined) return found
  return { ...found, price: scalePrice(found.price, priceFactor) }
}

interface AssumedPrice extends CallPrice {
  readonly model: string
  readonly namedBy: string | undefined
}

// The latest price per list of limits: a loop requests the same model repeatedly.
const ASSUMED = new WeakMap<readonly Limit[], AssumedPrice>()

function assumedPrice(runtime: ScopeRuntime, spec: ModelCallSpec & { readonly model: string }): CallPrice {
  const { model, namedBy } = spec
  const limits = limitsOnPath(runtime)
  const known = ASSUMED.get(limits)
  if (known?.model === model && known.namedBy === namedBy) return known
  const decision = decideWithoutPrice({ ...spec, limits, book: runtime.context.prices })
  if (decision.kind === 'refuse') throw decision.error
  const { notice } = decision
  if (decision.kind === 'estimate') return { price: decision.price, notice }
  ASSUMED.set(limits, { model, namedBy, price: null, notice })
  return { price: null, notice }
}
