import { type Amounts, addAmount } from '../../core/amounts/amounts.ts'
import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import { assertChoice } from '../call/assert-choice.ts'
import { promptTokens, type Usage } from './usage.ts'

/** The phase of a call; its cost counts on that phase's meter and on `cost`. */
export type Phase = 'planning' | 'execution'

export const PHASES = ['planning', 'execution'] as const satisfies readonly Phase[]

/** The phase of a call that names none: otherwise it would escape the limits on phases. */
export const DEFAULT_PHASE: Phase = 'execution'

export interface UsageCost {
  readonly costNanoUsd: number | null
  readonly phase?: Phase | undefined
}

const CHARGE = optionNames<UsageCost>({ costNanoUsd: true, phase: true })

/** What a call with this usage counts on each meter. A cost of `null` (the model has no price) counts on none. */
export function amountsFromUsage(usage: Usage, charge: UsageCost): Amounts {
  assertKnownOptions('amountsFromUsage', charge, CHARGE)
  // Added up separately, not subtracted: where `tokens` saturates, a difference would be too small.
  const uncached = addAmount(promptTokens({ ...usage, cacheReadTokens: 0 }), usage.outputTokens)
  return {
    tokens: addAmount(uncached, usage.cacheReadTokens),
    outputTokens: usage.outputTokens,
    uncachedTokens: uncached,
    ...costAmounts(charge.costNanoUsd, charge.phase),
  }
}

/** A cost on its meters. Throws `InvalidCallError` for an unknown phase. */
export function costAmounts(costNanoUsd: number | null, phase: Phase = DEFAULT_PHASE): Amounts {
  assertChoice({ field: 'phase', value: phase, words: PHASES })
  if (costNanoUsd === null) return {}
  if (phase === 'planning') return { cost: costNanoUsd, planningCost: costNanoUsd }
  return { cost: costNanoUsd, executionCost: costNanoUsd }
}
