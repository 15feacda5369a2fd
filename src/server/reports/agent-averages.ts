import { addAmount, type ScopeReading } from '../../core/index.ts'
import type { Answer } from '../contract.ts'

type AgentAverages = Answer<'GET /api/reports/agents'>['agents']

interface Sums {
  runs: number
  turns: number
  activeMs: number
  costNanoUsd: number
  readonly statuses: Record<string, number>
}

/** What agents that have ended needed on average, by type; subagents are agents too, and are in their parents' sums. */
export function agentAverages(scopes: readonly ScopeReading[]): AgentAverages {
  const types = new Map<string | null, Sums>()
  for (const { kind, labels, status, activeMs, totals } of scopes) {
    if (kind !== 'agent') continue
    const agentType = labels.agentType ?? null
    const sums = types.get(agentType) ?? { runs: 0, turns: 0, activeMs: 0, costNanoUsd: 0, statuses: {} }
    types.set(agentType, sums)
    sums.runs++
    sums.turns += totals.toolCalls.settled
    sums.activeMs += activeMs
    sums.costNanoUsd = addAmount(sums.costNanoUsd, totals.cost.settled)
    sums.statuses[status] = (sums.statuses[status] ?? 0) + 1
  }
  return [...types]
    .map(([agentType, { runs, turns, activeMs, costNanoUsd, statuses }]) => ({
      agentType,
      runs,
      statuses,
      averageTurns: turns / runs,
      averageActiveMs: activeMs / runs,
      averageCostNanoUsd: costNanoUsd / runs,
      totalCostNanoUsd: costNanoUsd,
    }))
    .sort((left, right) => right.totalCostNanoUsd - left.totalCostNanoUsd)
}
