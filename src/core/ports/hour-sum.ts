import { addedAmounts } from '../amounts/added-amounts.ts'
import type { Amounts } from '../amounts/amounts.ts'
import { addedParts, type CostParts } from './call-costs.ts'
import type { CallFacts } from './call-facts.ts'

/** The sum of one hour's calls for one payer, agent type, and model or tool. */
export interface HourSum {
  /** The start of the hour in which they were reserved. */
  readonly hourMs: number
  readonly rootId: string
  /** The budget that pays: the nearest lasting scope above the calls, or the root if there is none. */
  readonly payerId: string
  /** `null` if the agent had no type. */
  readonly agentType: string | null
  readonly call: CallFacts['call']
  /** The model or the tool. */
  readonly name: string | null
  readonly calls: number
  readonly amounts: Amounts
  /** The parts of the cost among the amounts. */
  readonly costs: CostParts
}

/** Merges sums of the same hour, payer, agent type and name. Ordered by hour. */
export function mergedSums(sums: Iterable<HourSum>): readonly HourSum[] {
  const merged = new Map<string, HourSum>()
  for (const sum of sums) {
    const key = keyOf(sum)
    const before = merged.get(key)
    merged.set(key, before === undefined ? sum : plus(before, sum))
  }
  const inOrder = [...merged].sort(([left, a], [right, b]) => a.hourMs - b.hourMs || (left < right ? -1 : 1))
  return inOrder.map(([, sum]) => sum)
}

function plus(left: HourSum, right: HourSum): HourSum {
  return {
    ...left,
    calls: left.calls + right.calls,
    amounts: addedAmounts(left.amounts, right.amounts),
    costs: addedParts(left.costs, right.costs),
  }
}

function keyOf({ hourMs, rootId, payerId, agentType, call, name }: HourSum): string {
  return JSON.stringify([hourMs, rootId, payerId, agentType, call, name])
}
