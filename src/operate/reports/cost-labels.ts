import { COST_PARTS, type CostPart, type CostParts } from '../../core/index.ts'

/** The parts of a cost as people read them. */
export const COST_LABELS: Readonly<Record<CostPart, string>> = {
  input: 'Fresh input',
  cacheRead: 'Cache reads',
  cacheWrite: 'Cache writes',
  output: 'Output',
  thinking: 'Thinking',
  fees: 'Searches',
  closing: 'Closing calls',
  assumed: 'Assumed',
  other: 'Not divided',
}

/** A cost by its parts as JSON: those that are not 0, in a fixed order. They add up to the cost. */
export function costPartsView(costs: CostParts) {
  return COST_PARTS.flatMap((part) => {
    const costNanoUsd = costs[part] ?? 0
    return costNanoUsd === 0 ? [] : [{ part, label: COST_LABELS[part], costNanoUsd }]
  })
}
