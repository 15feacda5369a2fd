import { type Amounts, addAmount } from '../../core/amounts/amounts.ts'
import { amountAtUnits } from '../../core/decide/elastic.ts'
import type { CounterMeter } from '../../core/meter.ts'
import { type ElasticCall, elasticCall } from './elastic-call.ts'
import type { ModelCall } from './model-call.ts'

/**
 * The most that a call can take of each meter: the whole prompt at the highest input price the request can incur, all
 * choices at the highest output price, and the fees. No usage within the call's bounds costs more.
 */
export function worstCase(call: ModelCall): Amounts {
  const parts = elasticCall(call)
  return amountsAtOutput(parts, parts.elastic.most)
}

/** The amounts of a call with an output cap of `output` tokens per choice. */
export function amountsAtOutput({ fixed, elastic }: ElasticCall, output: number): Amounts {
  const amounts: Partial<Record<CounterMeter, number>> = { ...fixed }
  for (const rate of elastic.rates) {
    amounts[rate.meter] = addAmount(amounts[rate.meter] ?? 0, amountAtUnits(rate, output))
  }
  return amounts
}
