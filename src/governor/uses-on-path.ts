import { InvalidOptionError, METERS } from '../core/index.ts'
import { readAgain, worstCase } from '../pricing/index.ts'
import type { ModelCallSpec, Scope } from './governor.ts'
import { priceForCall } from './price-for-call.ts'
import { remainingOnPath } from './remaining-on-path.ts'
import { runtimeBehind } from './scope-handle.ts'

/** How often a provider may run its own tools within one call. */
export interface UsesOnPath {
  readonly uses: number
  /** How many of them may be web searches, which have a price of their own. */
  readonly searches: number
}

// Most calls search for nothing: what is set aside for it must not keep the call itself from its room.
const SHARE_FOR_FEES = 10
const SHARE_FOR_READING = 4
const MOST_USES = 100

/** As often as a part of what is left on the path pays for: its fees, and what is read again each time. */
export async function usesOnPath(scope: Scope, spec: ModelCallSpec): Promise<UsesOnPath> {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('usesOnPath(scope)', scope, 'a scope of a governor')
  const { price } = priceForCall(runtime, spec)
  const left = await remainingOnPath(scope)
  const fits = (uses: number): boolean => {
    const inputTokens = readAgain(spec.inputTokens, uses)
    const amounts = worstCase({ ...spec, price, inputTokens, maxOutputTokens: 1, webSearches: 0 })
    return Object.entries(amounts).every(([meter, amount]) => {
      const most = left.get(meter as keyof typeof amounts)
      return meter === 'modelCalls' || most === undefined || amount <= most / SHARE_FOR_READING
    })
  }
  let uses = 0
  while (uses < MOST_USES && fits(uses + 1)) uses++
  const fee = price?.fees.webSearchNanoUsd ?? 0
  if (fee === 0) return { uses, searches: uses }
  let leftNanoUsd = Number.POSITIVE_INFINITY
  for (const [meter, most] of left) if (METERS[meter].unit === 'nanoUsd') leftNanoUsd = Math.min(leftNanoUsd, most)
  return { uses, searches: Math.min(uses, Math.floor(leftNanoUsd / SHARE_FOR_FEES / fee)) }
}
