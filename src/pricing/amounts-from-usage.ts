import { type Amounts, addAmount } from '../core/amounts.ts'
import { assertWord } from './assert-word.ts'
import { promptTokens, type Usage } from './usage.ts'

/** The phase that a call is tagged with; its cost counts on that phase's meter and on `cost`. */
export type Phase = 'planning' | 'execution'

export const PHASES = ['planning', 'execution'] as const satisfies readonly Phase[]

/** What a call with this usage counts on each meter. A cost of `null` (the model has no price) counts on none. */
export function amountsFromUsage(
  usage: Usage,
  charge: { readonly costNanoUsd: number | null; readonly phase?: Phase | undefined },
): Amounts {
  // Summed apart, not subtracted: where `tokens` saturates, a difference would be too small.
  const uncached = addAmount(promptTokens({ ...usage, cacheReadTokens: 0 }), usage.outputTokens)
  return {
    tokens: addAmount(uncached, usage.cacheReadTokens),
    outputTokens: usage.outputTokens,
    uncachedTokens: uncached,
    ...costAmounts(charge.costNanoUsd, charge.phase),
  }
}

/** A cost on the meters it counts on. Throws `InvalidCallError` for a phase that is none. */
export function costAmounts(costNanoUsd: number | null, phase: Phase | undefined): Amounts {
  if (phase !== undefined) assertWord({ field: 'phase', value: phase, words: PHASES })
  if (costNanoUsd === null) return {}
  if (phase === 'planning') return { cost: costNanoUsd, planningCost: costNanoUsd }
  if (phase === 'execution') return { cost: costNanoUsd, executionCost: costNanoUsd }
  return { cost: costNanoUsd }
}
