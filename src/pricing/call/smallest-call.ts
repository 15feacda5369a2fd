import type { Amounts } from '../../core/amounts/amounts.ts'
import { elasticCall } from './elastic-call.ts'
import type { ModelCall } from './model-call.ts'
import { amountsAtOutput } from './worst-case.ts'

/**
 * The amounts of the smallest sensible call: its whole input, a short answer, and the smallest thinking budget if it
 * thinks.
 */
export function smallestCall(call: ModelCall): Amounts {
  const parts = elasticCall(call)
  return amountsAtOutput(parts, parts.elastic.least)
}
