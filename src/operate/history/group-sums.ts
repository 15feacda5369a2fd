import { type Amounts, addedAmounts, type HourSum } from '../../core/index.ts'
import { amountsView } from '../views/amounts-view.ts'

/** What sums can be grouped by. */
export const SUM_GROUPS = ['hour', 'day', 'model', 'tool', 'agent', 'root'] as const

export type SumGroup = (typeof SUM_GROUPS)[number]

/** What the calls of one group came to. */
export interface GroupedSum {
  readonly key: string
  readonly calls: number
  readonly amounts: Amounts
}

/** Sums by their group: times in their order, everything else with the most expensive first. */
export function groupSums(sums: readonly HourSum[], by: SumGroup): readonly GroupedSum[] {
  const groups = new Map<string, GroupedSum>()
  for (const sum of sums) {
    if ((by === 'model' || by === 'tool') && sum.call !== by) continue
    const key = keyOf(sum, by)
    const { calls = 0, amounts = {} } = groups.get(key) ?? {}
    groups.set(key, { key, calls: calls + sum.calls, amounts: addedAmounts(amounts, sum.amounts) })
  }
  const isByTime = by === 'hour' || by === 'day'
  const cost = ({ amounts }: GroupedSum): number => amounts.cost ?? 0
  return [...groups.values()].sort((left, right) =>
    isByTime ? byText(left.key, right.key) : cost(right) - cost(left) || byText(left.key, right.key),
  )
}

function keyOf({ hourMs, rootId, agentType, name }: HourSum, by: SumGroup): string {
  if (by === 'root') return rootId
  if (by === 'agent') return agentType ?? '(no type)'
  if (by === 'model' || by === 'tool') return name ?? '(no name)'
  const time = new Date(hourMs).toISOString()
  return by === 'hour' ? `${time.slice(0, 13)}:00Z` : time.slice(0, 10)
}

function byText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}

/** A group as JSON. */
export function groupedSumView({ key, calls, amounts }: GroupedSum) {
  return { key, calls, totals: amountsView(amounts) }
}
