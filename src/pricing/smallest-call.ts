import type { Amounts } from '../core/amounts.ts'
import { elasticCall } from './elastic-call.ts'
import type { ModelCall } from './model-call.ts'
import { amountsAtOutput } from './worst-case.ts'

/** What the smallest sensible call takes: its whole input, a short answer, and the smallest thinking where it thinks. */
export function smallestCall(call: ModelCall): Amounts {
  const parts = elasticCall(call)
  return amountsAtOutput(parts, parts.elastic.least)
}
