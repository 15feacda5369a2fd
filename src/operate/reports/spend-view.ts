import { amountsView } from '../views/amounts-view.ts'
import { costPartsView } from './cost-labels.ts'
import type { Spend, SpendReport } from './spend-report.ts'

/** A report as JSON. */
export function spendView({ by, sinceMs, untilMs, timeZone, rows, total, timeline }: SpendReport) {
  return {
    by,
    sinceMs,
    untilMs,
    timeZone,
    rows: rows.map((row) => ({ key: row.key, ...viewOf(row) })),
    total: viewOf(total),
    timeline: {
      step: timeline.step,
      times: timeline.times,
      costs: timeline.costs.map(({ key, costs }) => ({ key, costsNanoUsd: costs })),
    },
  }
}

function viewOf({ calls, amounts, costs }: Spend) {
  return { calls, totals: amountsView(amounts), parts: costPartsView(costs) }
}
