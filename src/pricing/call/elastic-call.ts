import { type Amounts, addAmount } from '../../core/amounts/amounts.ts'
import type { ElasticAsk, ElasticRate } from '../../core/decide/elastic.ts'
import { feesOf } from '../prices/price-fees.ts'
import { costAmounts } from '../usage/amounts-from-usage.ts'
import { dearestRates } from './dearest-rates.ts'
import { type ModelCall, type ResolvedCall, resolveCall } from './model-call.ts'
import { leastOutput, OUTPUT_WORTH_WAITING_FOR } from './output-floor.ts'

/** A call's worst case in two parts: a fixed one, and what its output cap adds. */
export interface ElasticCall {
  readonly fixed: Amounts
  readonly elastic: ElasticAsk
}

/** The form in which a store can reduce a call: `fixed` plus the elastic part at `most` is its worst case. */
export function elasticCall(call: ModelCall): ElasticCall {
  return elasticOf(resolveCall(call))
}

/** The same for a resolved call, which isn't made with an output cap below `floor` unless it asks for one. */
export function elasticOf(call: ResolvedCall, floor = 0): ElasticCall {
  const { price, inputTokens, maxOutputTokens: most, choices, phase } = call
  const least = Math.min(most, Math.max(leastOutput(call), floor))
  const enough = Math.max(least, Math.min(most, OUTPUT_WORTH_WAITING_FOR))
  const tokens = { modelCalls: 1, tokens: inputTokens, outputTokens: 0, uncachedTokens: inputTokens }
  const rates: ElasticRate[] = [
    { meter: 'tokens', numerator: choices, denominator: 1 },
    { meter: 'outputTokens', numerator: choices, denominator: 1 },
    { meter: 'uncachedTokens', numerator: choices, denominator: 1 },
  ]
  if (price === null) return { fixed: tokens, elastic: { least, enough, most, rates } }
  const { inputNanoUsd, outputPicoUsd } = dearestRates(price, call)
  const perUnit = { numerator: choices * outputPicoUsd, denominator: 1000 }
  rates.push(
    { meter: 'cost', ...perUnit },
    { meter: phase === 'planning' ? 'planningCost' : 'executionCost', ...perUnit },
  )
  const costs = costAmounts(addAmount(inputNanoUsd, feesOf(price.fees, call)), phase)
  return { fixed: { ...tokens, ...costs }, elastic: { least, enough, most, rates } }
}
