import { printable } from '../../core/checks/printable.ts'
import { assertScopeName, displayAmount, InvalidOptionError, StintError, suggestName } from '../../core/index.ts'
import { listBudgets as list, showBudget as show, shownBudgetView } from '../../operate/budgets/list-budgets.ts'
import { setBudget } from '../../operate/budgets/set-budget.ts'
import { findBudget } from '../../operate/find/find-budget.ts'
import { changeLimits } from '../../operate/limits/change-limits.ts'
import type { ScopeDetails } from '../../operate/scopes/scope-details.ts'
import { standingsOf } from '../../operate/views/limit-standing.ts'
import { scopeView } from '../../operate/views/scope-view.ts'
import type { ParsedLimits } from '../../policy/index.ts'
import { commandFor } from '../../policy/limits/command-for.ts'
import type { CommandContext } from '../command-context.ts'
import { limitsFromFlags } from '../flags/limits-from-flags.ts'
import { refuseInsideLedger } from '../ledger/refuse-own-run.ts'
import { limitText } from '../output/amount-text.ts'
import { limitLines } from '../output/limit-changes.ts'
import { spentText } from '../output/meter-text.ts'
import type { Report } from '../output/report.ts'
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
  const { budgets: configured } = context.config()
  sayLeftOut(context, leftOutOfConfig(context, ['budgets', 'store']))
  const budgets = await list(await context.operator())
  const known = new Set(budgets.map(({ id }) => id))
  const missing = [...configured.keys()].filter((key) => !known.has(key))
  const none = 'No budgets. To create one: stint budget set team:core --limit cost=100/day'
  return {
    json: () => ({ budgets: budgets.map(scopeView), missing }),
    text: () => (budgets.length === 0 ? none : budgetTable(context, budgets)),
    notices:
      missing.length === 0
        ? []
        : [`In the config, not yet in the ledger: ${missing.join(', ')}. Run: stint budget set`],
  }
}

function budgetTable({ platform, width }: CommandContext, budgets: readonly ScopeDetails[]): string {
  const nowMs = platform.nowMs()
  return formatTable(
    COLUMNS,
    budgets.flatMap((scope) => rowsOf(scope, nowMs)),
    width,
  )
}

function rowsOf(scope: ScopeDetails, nowMs: number): readonly (readonly string[])[] {
  const rows = standingsOf(scope).map(({ limit, settled, assumed, reserved, held, remaining, resetsAt }) => {
    return [
      limitText(limit),
      spentText(limit.meter, settled, assumed),
      displayAmount(limit.meter, reserved),
      displayAmount(limit.meter, held),
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
  const { paint, width } = context
  const operator = await context.operator()
  const shown = await show(operator, (await findBudget(operator, key)).id)
  const { budget, runs } = shown
  const rows = runs.map((run) => [printable(run.name), printable(run.id), statusText(run, paint)])
  const table =
    rows.length === 0
      ? 'No run is spending from it.'
      : formatTable([{ heading: 'RUN', shrinksTo: 12 }, 'ID', 'STATUS'], rows, width)
  return { json: () => shownBudgetView(shown), text: `${budgetTable(context, [budget])}\n\n${table}` }
}

interface LimitOptions {
  readonly limit?: readonly string[]
  readonly timeZone?: string
  /** The team that a user's budget belongs to. */
  readonly within?: string
}

/** `stint budget set [KEY]`: from the flags, on top of the config's limits for this budget. */
export async function setBudgets(
  context: CommandContext,
  key: string | undefined,
  { limit = [], timeZone, within }: LimitOptions,
): Promise<Report> {
  const { budgets } = context.config()
  sayLeftOut(context, leftOutOfConfig(context, ['budgets', 'store']))
  if (key === undefined && (limit.length > 0 || timeZone !== undefined || within !== undefined)) {
    throw new InvalidOptionError('KEY', undefined, 'given together with limits, e.g. team:core')
  }
  const flagsFor = (each: string): readonly ParsedLimits[] =>
    limit.length === 0 && timeZone === undefined ? [] : [limitsFromFlags(limit, timeZone, raiseCommand(each))]
  const keys = key === undefined ? [...budgets.keys()] : [key]
  if (keys.length === 0) throw noLimits(undefined, [])
  const planned = keys.map((each) => ({ key: each, layers: [...(budgets.get(each) ?? []), ...flagsFor(each)] }))
  for (const { key: each, layers } of planned) {
    assertScopeName(each)
    if (layers.every(({ entries }) => entries.length === 0)) throw noLimits(each, [...budgets.keys()])
  }
  const operator = await context.operator({ create: true })
  await refuseInsideLedger(context, operator.store, 'Setting a budget')
  const withinId = within === undefined ? null : (await findBudget(operator, within)).id
  const written: ScopeDetails[] = []
  for (const { key: each, layers } of planned) written.push(await setBudget(operator, each, layers, withinId))
  return reportOf(written)
}

/** `stint budget raise KEY`. */
export async function raiseBudget(
  context: CommandContext,
  key: string,
  { limit = [], timeZone }: LimitOptions,
): Promise<Report> {
  const layers = [limitsFromFlags(limit, timeZone, raiseCommand(key))]
  const operator = await context.operator()
  const budget = await findBudget(operator, key)
  await refuseInsideLedger(context, operator.store, 'Raising a budget')
  return reportOf([await changeLimits(operator, budget, { layers, ceilings: [] })])
}

function raiseCommand(key: string): string {
  return commandFor('stint budget raise', key)
}

function reportOf(budgets: readonly ScopeDetails[]): Report {
  const texts = budgets.map((scope) => `${printable(scope.id)}\n${limitLines(scope)}`)
  return { json: { budgets: budgets.map(scopeView) }, text: texts.join('\n') }
}

function noLimits(key: string | undefined, configured: readonly string[]): StintError {
  const nearest = key === undefined ? null : suggestName(key, configured)
  const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}, which the config has?`
  const what = key === undefined ? 'The config has no budgets' : `There are no limits for ${JSON.stringify(key)}`
  const form = `stint budget set ${key ?? 'team:core'} --limit cost=100/day`
  return new StintError('invalid_option', `${what}.${hint} Write e.g. ${form}`)
}
