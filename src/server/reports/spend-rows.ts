import { type Amounts, addAmount, addedAmounts, type HourSum } from '../../core/index.ts'
import { spendKeys } from '../../operate/reports/spend-keys.ts'
import { amountsView } from '../../operate/views/amounts-view.ts'
import type { SPEND_GROUPS } from '../contract/reports.ts'
import type { Answer } from '../contract.ts'

type SpendGroup = (typeof SPEND_GROUPS)[number]
type Spend = Answer<'GET /api/reports/spend'>

interface Group {
  readonly calls: number
  readonly amounts: Amounts
}

interface SpendRowsOptions {
  readonly by: SpendGroup
  /** The paths of budgets, by id. */
  readonly payers: ReadonlyMap<string, string>
  readonly most: number
}

const NOTHING: Group = { calls: 0, amounts: {} }

/** Sums by group: times in their order, everything else with the most expensive first. */
export function spendRows(
  sums: readonly HourSum[],
  { by, payers, most }: SpendRowsOptions,
): Pick<Spend, 'rows' | 'total'> {
  const keyOf =
    by === 'run' ? ({ rootId }: HourSum): string | null => rootId : spendKeys(by, { timeZone: 'UTC', payers })
  const groups = new Map<string, Group>()
  const hours = new Map<string, Map<number, number>>()
  let total = NOTHING
  for (const sum of sums) {
    total = plus(total, sum)
    const key = keyOf(sum)
    if (key === null) continue
    groups.set(key, plus(groups.get(key) ?? NOTHING, sum))
    const costs = hours.get(key) ?? new Map<number, number>()
    hours.set(key, costs)
    costs.set(sum.hourMs, addAmount(costs.get(sum.hourMs) ?? 0, sum.amounts.cost ?? 0))
  }
  const isByTime = by === 'hour' || by === 'day'
  const sorted = [...groups].sort(([leftKey, left], [rightKey, right]) => {
    const byKey = leftKey < rightKey ? -1 : 1
    return isByTime ? byKey : (right.amounts.cost ?? 0) - (left.amounts.cost ?? 0) || byKey
  })
  const view = ({ calls, amounts }: Group) => ({ calls, totals: amountsView(amounts) })
  const rows = sorted.slice(0, most).map(([key, group]) => ({ key, ...view(group), hours: hoursOf(hours.get(key)) }))
  return { rows, total: view(total) }
}

function hoursOf(costs: ReadonlyMap<number, number> = new Map()): Spend['rows'][number]['hours'] {
  const spent = [...costs].filter(([, costNanoUsd]) => costNanoUsd > 0)
  return spent.sort(([left], [right]) => left - right).map(([hourMs, costNanoUsd]) => ({ hourMs, costNanoUsd }))
}

function plus(left: Group, right: Group): Group {
  return { calls: left.calls + right.calls, amounts: addedAmounts(left.amounts, right.amounts) }
}
