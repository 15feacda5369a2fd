import { InvalidOptionError, METERS } from '../core/index.ts'
import type { Scope } from './governor.ts'
import { remainingOnPath } from './remaining-on-path.ts'
import { runtimeBehind } from './scope-handle.ts'

// Most calls search for nothing: what is set aside for it must not keep the call itself from its room.
const SHARE = 10

/** How many web searches one call may have set aside: what a tenth of the money that is left on the path pays for. */
export async function searchesOnPath(scope: Scope, model: string): Promise<number> {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('searchesOnPath(scope)', scope, 'a scope of a governor')
  const { prices } = runtime.context
  const { webSearchNanoUsd } = (prices.find(model) ?? prices.estimate(model)).fees
  if (webSearchNanoUsd === 0) return Number.POSITIVE_INFINITY
  let leftNanoUsd = Number.POSITIVE_INFINITY
  for (const [meter, left] of await remainingOnPath(scope)) {
    if (METERS[meter].unit === 'nanoUsd') leftNanoUsd = Math.min(leftNanoUsd, left)
  }
  return Math.floor(leftNanoUsd / SHARE / webSearchNanoUsd)
}
