import { displayAmount, isStintError, type LedgerStore, type Limit, type ScopeReading } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { TaskRecord } from '../../runner/tasks/task-record.ts'
import type { CommandContext } from '../command-context.ts'
import { findScope } from '../ledger/find-scope.ts'
import { limitRequestedOf, reasonOf } from '../ledger/requested-limit.ts'
import { withAssumed } from '../ledger/with-assumed.ts'
import { amountsText, limitText } from '../output/amount-text.ts'
import { type Field, formatFields } from '../output/field-list.ts'
import { labelFields } from '../output/label-fields.ts'
import { standingsOf } from '../output/limit-standing.ts'
import { spentText } from '../output/meter-text.ts'
import type { Report } from '../output/report.ts'
import { requestJson, reservationJson, scopeJson } from '../output/scope-json.ts'
import { ownerDetails, statusText } from '../output/status-text.ts'
import { formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'
import { taskBeginningWith } from '../run/find-task.ts'
import { readTask, shownTaskJson, taskSections } from '../run/show-task.ts'

const MOST_RESERVATIONS = 1000

/** `stint show ID`. */
export async function showScope(context: CommandContext, text: string): Promise<Report> {
  const { platform } = context
  const store = await context.store()
  const found = await findScopeOrTask(context, store, text)
  if ('record' in found) return showTaskAlone(context, found)
  const { id } = found
  const atMs = platform.nowMs()
  const path = await withAssumed(store, (await store.read({ scopeId: id, atMs }))!, atMs)
  const task = readTask(context, id, path.at(-1)!)
  const facts = await factsOf(store, id)
  const aliveOf = ({ owner }: ScopeReading): boolean | null => (owner === null ? null : platform.isHolderAlive(owner))
  const scope = path.at(-1)!
  const json = {
    scope: scopeJson(scope, aliveOf(scope)),
    ancestors: path.slice(0, -1).map((each) => scopeJson(each, aliveOf(each))),
    reservations: { open: facts.open.map(reservationJson), assumed: facts.assumed.map(reservationJson) },
    requests: facts.requests.map(requestJson),
    task: task === null ? null : shownTaskJson(task),
  }
  const sections = [textOf(context, path, facts, aliveOf(scope)), ...(task === null ? [] : taskSections(context, task))]
  return { json, text: sections.join('\n\n') }
}

/** A task that has not begun, or whose details the ledger has forgotten, has no scope. */
async function findScopeOrTask(
  context: CommandContext,
  store: LedgerStore,
  text: string,
): Promise<ScopeReading | { readonly record: TaskRecord }> {
  try {
    return await findScope(store, text, context.platform.nowMs())
  } catch (error) {
    const record = isStintError(error, 'unknown_scope') ? taskBeginningWith(context, text) : null
    if (record === null) throw error
    return { record }
  }
}

function showTaskAlone(context: CommandContext, { record }: { readonly record: TaskRecord }): Report {
  const task = readTask(context, record.id, null)!
  const json = { scope: null, ancestors: [], reservations: { open: [], assumed: [] }, requests: [] }
  return { json: { ...json, task: shownTaskJson(task) }, text: taskSections(context, task).join('\n\n') }
}

async function factsOf(store: LedgerStore, scopeId: string) {
  const most = MOST_RESERVATIONS
  return {
    open: await store.reservations({ state: 'open', scopeId, most }),
    // Also those of what is below it: they are charged to it as well.
    assumed: await store.reservations({ state: 'assumed', withinId: scopeId, most }),
    requests: (await store.requests({})).filter((request) => request.scopeId === scopeId),
  }
}

type Facts = Awaited<ReturnType<typeof factsOf>>

function textOf(
  context: CommandContext,
  path: readonly ScopeReading[],
  facts: Facts,
  isOwnerAlive: boolean | null,
): string {
  const { paint } = context
  const nowMs = context.platform.nowMs()
  const scope = path.at(-1)!
  const section = (title: string, body: string): string => `${paint.bold(title)}\n${body}`
  const limits = path.flatMap((each) => each.limits.map(({ limit }) => limit)).reverse()
  const fields: readonly Field[] = [
    ['path', printable(scope.path)],
    ['id', printable(scope.id)],
    ['kind', scope.kind],
    ['status', statusText(scope.status, paint)],
    ['owner', ownerDetails(scope, isOwnerAlive, paint)],
    ['opened', whenText(scope.openedAtMs, nowMs)],
    ...(scope.closedAtMs === null ? [] : [['ended', whenText(scope.closedAtMs, nowMs)] as const]),
    ['worked', displayAmount('time', scope.activeMs)],
    [
      'settled',
      amountsText(Object.fromEntries(Object.entries(scope.totals).map(([key, { settled }]) => [key, settled])), limits),
    ],
    ...assumedRow(scope, limits),
    ...labelFields(scope),
  ]
  const sections = [formatFields(fields, context.width), section('Limits', limitTable(path, context.width))]
  if (scope.pause !== null) {
    const { reason, by, atMs } = scope.pause
    const who = by === null ? '' : ` by ${printable(by)}`
    sections.push(section('Paused', `${whenText(atMs, nowMs)}${who}: ${printable(reason)}`))
  }
  if (facts.requests.length > 0) {
    const rows = facts.requests.map((request) => {
      const { id, meter, asked, status } = request
      const limit = limitRequestedOf(scope, request)
      const more = `${displayAmount(meter, asked, 'up')} more ${limit.source.written}`
      return [printable(id), status, more, printable(reasonOf(request, limit))]
    })
    const columns = ['ID', 'STATUS', 'ASKED', { heading: 'REASON', shrinksTo: 20, dropOrder: 1 }]
    sections.push(section('Requests', formatTable(columns, rows, context.width)))
  }
  for (const [title, list] of [
    ['Open reservations', facts.open],
    ['Assumed reservations', facts.assumed],
  ] as const) {
    if (list.length === 0) continue
    const rows = list.map(({ id, reserved, atMs }) => [
      printable(id),
      amountsText(reserved, limits),
      whenText(atMs, nowMs),
    ])
    sections.push(section(title, formatTable([], rows)))
  }
  return sections.join('\n\n')
}

function assumedRow({ totals }: ScopeReading, limits: readonly Limit[]): readonly Field[] {
  const assumed = Object.fromEntries(Object.entries(totals).map(([key, total]) => [key, total.assumed ?? 0]))
  const text = amountsText(assumed, limits)
  return text === 'nothing' ? [] : [['of that assumed', text]]
}

const LIMIT_COLUMNS = [
  { heading: 'SCOPE', shrinksTo: 12 },
  'LIMIT',
  'SETTLED',
  { heading: 'RESERVED', dropOrder: 1 },
  { heading: 'HELD', dropOrder: 2 },
  'LEFT',
] as const

function limitTable(path: readonly ScopeReading[], width: number): string {
  const rows = path.flatMap((scope) =>
    standingsOf(scope).map((standing) => {
      const { limit, settled, assumed, reserved, held, remaining, isCounted } = standing
      const show = (amount: number): string => (isCounted ? displayAmount(limit.meter, amount) : '·')
      const spent = isCounted ? spentText(limit.meter, settled, assumed) : '·'
      return [printable(scope.path), limitText(limit), spent, show(reserved), show(held), show(remaining)]
    }),
  )
  if (rows.length === 0) return 'none'
  return formatTable(LIMIT_COLUMNS, rows, width)
}
