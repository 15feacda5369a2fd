import { type Amounts, addAmount } from '../core/amounts.ts'
import type { ElasticAsk, ElasticRate } from '../core/elastic.ts'
import { costAmounts } from './amounts-from-usage.ts'
import { type DearestRates, dearestRates } from './dearest-rates.ts'
import { type ModelCall, type ResolvedCall, resolveCall } from './model-call.ts'
import { leastOutput, OUTPUT_WORTH_WAITING_FOR } from './output-floor.ts'
import { nanoUsdOfTokens } from './pico-usd.ts'
import { feesOf } from './price-fees.ts'

/** A call's worst case in two parts: what it takes in any case, and what its output cap takes on top. */
export interface ElasticCall {
  readonly fixed: Amounts
  readonly elastic: ElasticAsk
}

/** The form in which a store can cut a call: `fixed` and the elastic part at `most` are its worst case. */
export function elasticCall(call: ModelCall): ElasticCall {
  const resolved = resolveCall(call)
  const { maxOutputTokens, choices, thinkingBudget, smallestThinking } = resolved
  const floor = leastOutput({ asked: maxOutputTokens, thinkingBudget, smallestThinking })
  const rates = resolved.price === null ? null : dearestRates(resolved.price, resolved)
  return {
    fixed: fixedAmounts(resolved, rates),
    elastic: {
      least: floor,
      enough: Math.max(floor, Math.min(maxOutputTokens, OUTPUT_WORTH_WAITING_FOR)),
      most: maxOutputTokens,
      rates: [...tokenRates(choices), ...costRates(resolved, rates)],
    },
  }
}

function fixedAmounts(call: ResolvedCall, rates: DearestRates | null): Amounts {
  const { inputTokens } = call
  const tokens = { modelCalls: 1, tokens: inputTokens, outputTokens: 0, uncachedTokens: inputTokens }
  return { ...tokens, ...costAmounts(fixedCost(call, rates), call.phase) }
}

function fixedCost(call: ResolvedCall, rates: DearestRates | null): number | null {
  if (call.price === null || rates === null) return null
  const { fees } = call.price
  const input = rates.input.reduce((sum, { tokens, picoUsd }) => addAmount(sum, nanoUsdOfTokens(tokens, picoUsd)), 0)
  return addAmount(input, feesOf(fees, call) + rates.roundingNanoUsd)
}

function tokenRates(choices: number): readonly ElasticRate[] {
  const meters = ['tokens', 'outputTokens', 'uncachedTokens'] as const
  return meters.map((meter) => ({ meter, numerator: choices, denominator: 1 }))
}

function costRates(call: ResolvedCall, rates: DearestRates | null): readonly ElasticRate[] {
  if (rates === null) return []
  const { outputPicoUsd } = rates
  const meters = Object.keys(costAmounts(0, call.phase)) as readonly ('cost' | 'planningCost' | 'executionCost')[]
  return meters.map((meter) => ({ meter, numerator: call.choices * outputPicoUsd, denominator: 1000 }))
}
