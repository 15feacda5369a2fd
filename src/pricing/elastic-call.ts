import { type Amounts, addAmount } from '../core/amounts.ts'
import type { ElasticAsk, ElasticRate } from '../core/elastic.ts'
import { costAmounts } from './amounts-from-usage.ts'
import { dearestRates } from './dearest-rates.ts'
import { type ModelCall, type ResolvedCall, resolveCall } from './model-call.ts'
import { leastOutput, OUTPUT_WORTH_WAITING_FOR } from './output-floor.ts'
import { nanoUsdOfTokens } from './pico-usd.ts'

/** A call's worst case in two parts: what it takes in any case, and what its output cap takes on top. */
export interface ElasticCall {
  readonly fixed: Amounts
  readonly elastic: ElasticAsk
}

/** The form in which a store can cut a call: `fixed` and the elastic part at `most` are its worst case. */
export function elasticCall(call: ModelCall): ElasticCall {
  const resolved = resolveCall(call)
  const { maxOutputTokens, choices } = resolved
  const floor = leastOutput({ ...resolved, asked: maxOutputTokens })
  return {
    fixed: fixedAmounts(resolved),
    elastic: {
      least: floor,
      enough: Math.max(floor, Math.min(maxOutputTokens, OUTPUT_WORTH_WAITING_FOR)),
      most: maxOutputTokens,
      rates: [...tokenRates(choices), ...costRates(resolved)],
    },
  }
}

function fixedAmounts(call: ResolvedCall): Amounts {
  const { inputTokens } = call
  const tokens = { modelCalls: 1, tokens: inputTokens, outputTokens: 0, uncachedTokens: inputTokens }
  return { ...tokens, ...costAmounts(fixedCost(call), call.phase) }
}

function fixedCost(call: ResolvedCall): number | null {
  if (call.price === null) return null
  const { fees } = call.price
  const rates = dearestRates(call.price, call.inputTokens, call.cacheMark)
  const input = nanoUsdOfTokens(call.inputTokens, rates.inputPicoUsd)
  const extra = fees.requestNanoUsd + call.webSearches * fees.webSearchNanoUsd + rates.roundingNanoUsd
  return addAmount(input, extra)
}

function tokenRates(choices: number): readonly ElasticRate[] {
  const meters = ['tokens', 'outputTokens', 'uncachedTokens'] as const
  return meters.map((meter) => ({ meter, numerator: choices, denominator: 1 }))
}

function costRates(call: ResolvedCall): readonly ElasticRate[] {
  if (call.price === null) return []
  const { outputPicoUsd } = dearestRates(call.price, call.inputTokens, call.cacheMark)
  const meters = Object.keys(costAmounts(0, call.phase)) as readonly ('cost' | 'planningCost' | 'executionCost')[]
  return meters.map((meter) => ({ meter, numerator: call.choices * outputPicoUsd, denominator: 1000 }))
}
