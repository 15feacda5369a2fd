import { addAmount, isAmount } from '../amounts/amounts.ts'
import { isPlainObject } from '../checks/is-plain-object.ts'

/** What the cost of a model call consists of. `fees` are those of searches that its provider ran. */
export const CALL_COSTS = ['input', 'cacheRead', 'cacheWrite', 'output', 'thinking', 'fees'] as const

/** The cost of a call by what it was for, in nano-USD. */
export type CallCosts = Readonly<Partial<Record<(typeof CALL_COSTS)[number], number>>>

/** The parts of a sum of costs. Closing calls, assumed charges and costs without parts are not divided further. */
export const COST_PARTS = [...CALL_COSTS, 'closing', 'assumed', 'other'] as const

export type CostPart = (typeof COST_PARTS)[number]

/** Parts of a cost, in nano-USD. Together they are the cost, exactly. */
export type CostParts = Readonly<Partial<Record<CostPart, number>>>

/** The costs as every store keeps them: only valid amounts above 0. */
export function keptCosts(costs: unknown): CallCosts | null {
  if (!isPlainObject(costs)) return null
  let kept: Partial<Record<(typeof CALL_COSTS)[number], number>> | null = null
  for (const part of CALL_COSTS) {
    const cost = costs[part]
    if (!isAmount(cost) || cost === 0) continue
    kept ??= {}
    kept[part] = cost
  }
  return kept
}

/** The sum of the parts. */
export function totalOf(parts: CostParts): number {
  let total = 0
  for (const part of COST_PARTS) total = addAmount(total, parts[part] ?? 0)
  return total
}

/** The parts of two costs, added up. */
export function addedParts(left: CostParts, right: CostParts): CostParts {
  const added: Partial<Record<CostPart, number>> = {}
  for (const part of COST_PARTS) {
    const sum = addAmount(left[part] ?? 0, right[part] ?? 0)
    if (sum > 0) added[part] = sum
  }
  return added
}
