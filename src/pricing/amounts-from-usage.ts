import { type Amounts, addAmount } from '../core/amounts.ts'
import { promptTokens, type Usage } from './usage.ts'

/** The phase that a call is tagged with; its cost counts on that phase's meter and on `cost`. */
export type Phase = 'planning' | 'execution'

/** What a call with this usage counts on each meter. A cost of `null` (the model has no price) counts on none. */
export function amountsFromUsage(
  usage: Usage,
  charge: { readonly costNanoUsd: number | null; readonly phase?: Phase | undefined },
): Amounts {
  const tokens = addAmount(promptTokens(usage), usage.outputTokens)
  return {
    tokens,
    outputTokens: usage.outputTokens,
    uncachedTokens: tokens - usage.cacheReadTokens,
    ...costAmounts(charge.costNanoUsd, charge.phase),
  }
}

/** A cost on the meters it counts on. */
export function costAmounts(costNanoUsd: number | null, phase: Phase | undefined): Amounts {
  if (costNanoUsd === null) return {}
  if (phase === 'planning') return { cost: costNanoUsd, planningCost: costNanoUsd }
  if (phase === 'execution') return { cost: costNanoUsd, executionCost: costNanoUsd }
  return { cost: costNanoUsd }
}
