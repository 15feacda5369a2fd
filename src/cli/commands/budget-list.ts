import { displayAmount, type ScopeReading } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { findBudget, listLasting } from '../ledger/find-budget.ts'
import { MOST_SCOPES } from '../ledger/find-scope.ts'
import { withAssumed } from '../ledger/with-assumed.ts'
import { limitText } from '../output/amount-text.ts'
import { standingsOf } from '../output/limit-standing.ts'
import { spentText } from '../output/meter-text.ts'
import type { Report } from '../output/report.ts'
import { scopeJson } from '../output/scope-json.ts'
import { statusText } from '../output/status-text.ts'
import { formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'
import { leftOutOfConfig, sayLeftOut } from '../trust/left-out.ts'

const COLUMNS = [
  'BUDGET',
  'LIMIT',
  { heading: 'SETTLED', dropOrder: 1 },
  { heading: 'RESERVED', dropOrder: 3 },
  { heading: 'HELD', dropOrder: 4 },
  'LEFT',
  { heading: 'RESETS', dropOrder: 2 },
  { heading: 'RUNS', dropOrder: 5 },
] as const

/** `stint budget list`. */
export async function listBudgets(context: CommandContext): Promise<Report> {
  const nowMs = context.platform.nowMs()
  const { budgets: configured } = context.config()
  sayLeftOut(context, leftOutOfConfig(context, ['budgets', 'store']))
  const store = await context.store()
  const budgets = await withAssumed(store, await listLasting(store, nowMs), nowMs)
  const known = new Set(budgets.map(({ id }) => id))
  const missing = [...configured.keys()].filter((key) => !known.has(key))
  const notices =
    missing.length === 0 ? [] : [`In the config, not yet in the ledger: ${missing.join(', ')}. Run: stint budget set`]
  const json = { budgets: budgets.map((scope) => scopeJson(scope, null)), missing }
  if (budgets.length === 0)
    return { json, text: 'No budgets. To make one: stint budget set team:core --limit cost=100/day', notices }
  return {
    json,
    text: formatTable(
      COLUMNS,
      budgets.flatMap((scope) => rowsOf(scope, nowMs)),
      context.width,
    ),
    notices,
  }
}

function rowsOf(scope: ScopeReading, nowMs: number): readonly (readonly string[])[] {
  const rows = standingsOf(scope).map(({ limit, settled, assumed, reserved, held, remaining, resetsAt }) => {
    const show = (amount: number): string => displayAmount(limit.meter, amount)
    return [
      limitText(limit),
      spentText(limit.meter, settled, assumed),
      show(reserved),
      show(held),
      displayAmount(limit.meter, remaining, 'down'),
      resetsAt === null ? '–' : whenText(resetsAt, nowMs),
    ]
  })
  const limits = rows.length === 0 ? [['no limits', '', '', '', '', '']] : rows
  const runs = String(scope.openChildren)
  return limits.map((cells, index) => [index === 0 ? printable(scope.id) : '', ...cells, index === 0 ? runs : ''])
}

/** `stint budget show KEY`. */
export async function showBudget(context: CommandContext, key: string): Promise<Report> {
  const { platform, paint } = context
  const nowMs = platform.nowMs()
  const store = await context.store()
  const found = await findBudget(store, key, nowMs)
  const below = await store.list({ standing: 'open', parentId: found.id, most: MOST_SCOPES, atMs: nowMs })
  const [budget = found, ...runs] = await withAssumed(store, [found, ...below], nowMs)
  const isAlive = ({ owner }: ScopeReading): boolean | null => (owner === null ? null : platform.isHolderAlive(owner))
  const rows = runs.map((run) => [printable(run.name), printable(run.id), statusText(run.status, paint)])
  const list =
    rows.length === 0
      ? 'No run spends from it now.'
      : formatTable([{ heading: 'RUN', shrinksTo: 12 }, 'ID', 'STATUS'], rows, context.width)
  return {
    json: { budget: scopeJson(budget, null), runs: runs.map((run) => scopeJson(run, isAlive(run))) },
    text: `${formatTable(COLUMNS, rowsOf(budget, nowMs), context.width)}\n\n${list}`,
  }
}
