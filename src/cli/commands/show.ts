import { printable } from '../../core/checks/printable.ts'
import { displayAmount, isStintError, type Limit, type ScopeReading } from '../../core/index.ts'
import { countText } from '../../operate/count-text.ts'
import { findScope } from '../../operate/find/find-scope.ts'
import type { Operator } from '../../operate/operator.ts'
import { requestedLimit } from '../../operate/requests/requested-limit.ts'
import { type ShownScope, showScope as show, shownScopeView } from '../../operate/scopes/show-scope.ts'
import { findTaskStarting } from '../../operate/tasks/find-task.ts'
import { readTask, type ShownTask, shownTaskView } from '../../operate/tasks/read-task.ts'
import { tasksFolder } from '../../operate/tasks/task-folder.ts'
import { standingsOf } from '../../operate/views/limit-standing.ts'
import type { CommandContext } from '../command-context.ts'
import { callTable } from '../history/call-table.ts'
import { aboutFields } from '../output/about-fields.ts'
import { amountsText, limitText } from '../output/amount-text.ts'
import { type Field, formatFields } from '../output/field-list.ts'
import { labelFields } from '../output/label-fields.ts'
import { spentText } from '../output/meter-text.ts'
import type { Report } from '../output/report.ts'
import { requestReason } from '../output/request-reason.ts'
import { ownerDetails, statusText } from '../output/status-text.ts'
import { formatTable } from '../output/table.ts'
import { taskSections } from '../output/task-sections.ts'
import { whenText } from '../output/when.ts'

/** `stint show ID`. */
export async function showScope(context: CommandContext, text: string): Promise<Report> {
  const operator = await context.operator()
  const found = await findScopeOrTask(context, operator, text)
  if ('result' in found) {
    const nothing = { calls: [], hasMoreCalls: false, denials: [] }
    const json = { scope: null, ancestors: [], reservations: { open: [], assumed: [] }, requests: [], ...nothing }
    return { json: { ...json, task: shownTaskView(found) }, text: taskSections(context, found).join('\n\n') }
  }
  const shown = await show(operator, found.id)
  const task = readTask(tasksFolder(context.config()), found.id, shown.scope)
  return {
    json: () => ({ ...shownScopeView(shown), task: task === null ? null : shownTaskView(task) }),
    text: () => [...scopeSections(context, shown), ...(task === null ? [] : taskSections(context, task))].join('\n\n'),
  }
}

/** A task that has not started, or whose details were pruned, has no scope. */
async function findScopeOrTask(
  context: CommandContext,
  operator: Operator,
  text: string,
): Promise<ScopeReading | ShownTask> {
  try {
    return await findScope(operator, text)
  } catch (error) {
    if (!isStintError(error, 'unknown_scope')) throw error
    const folder = tasksFolder(context.config())
    const record = findTaskStarting(folder, text)
    if (record === null) throw error
    return readTask(folder, record.id, null)!
  }
}

function scopeSections({ paint, width, platform }: CommandContext, shown: ShownScope): readonly string[] {
  const { scope, ancestors, open, assumed, requests, calls, denials } = shown
  const path = [...ancestors, scope]
  const nowMs = platform.nowMs()
  const section = (title: string, body: string): string => `${paint.bold(title)}\n${body}`
  const limits = path.flatMap((each) => each.limits.map(({ limit }) => limit)).reverse()
  const fields: readonly Field[] = [
    ['path', printable(scope.path)],
    ['id', printable(scope.id)],
    ['kind', scope.kind],
    ['status', statusText({ status: scope.status }, paint)],
    ['owner', ownerDetails(scope, paint)],
    ['opened', whenText(scope.openedAtMs, nowMs)],
    ...(scope.closedAtMs === null ? [] : [['ended', whenText(scope.closedAtMs, nowMs)] as const]),
    ['worked', displayAmount('time', scope.activeMs)],
    ['settled', totalsText(scope, limits, 'settled')],
    ...assumedField(totalsText(scope, limits, 'assumed')),
    ...labelFields(scope),
    ...aboutFields(scope),
  ]
  const sections = [formatFields(fields, width), section('Limits', limitTable(path, width))]
  if (scope.pause !== null) {
    const { reason, by, atMs } = scope.pause
    const who = by === null ? '' : ` by ${printable(by)}`
    sections.push(section('Paused', `${whenText(atMs, nowMs)}${who}: ${printable(reason)}`))
  }
  if (requests.length > 0) {
    const rows = requests.map((request) => {
      const { id, meter, asked, status } = request
      const limit = requestedLimit(scope, request)
      const more = `${displayAmount(meter, asked, 'up')} more of its ${limit.source.written} limit`
      return [printable(id), status, more, printable(requestReason(request, limit))]
    })
    const columns = ['ID', 'STATUS', 'ASKED', { heading: 'REASON', shrinksTo: 20, dropOrder: 1 }]
    sections.push(section('Requests', formatTable(columns, rows, width)))
  }
  for (const [title, list] of [
    ['Open reservations', open],
    ['Assumed reservations', assumed],
  ] as const) {
    if (list.length === 0) continue
    const rows = list.map(({ id, reserved, atMs }) => {
      return [printable(id), amountsText(reserved, limits), whenText(atMs, nowMs)]
    })
    sections.push(section(title, formatTable([], rows)))
  }
  if (denials.length > 0) {
    const rows = denials.map(({ meter, per, resetsAt, count, lastAtMs }) => {
      const window = per === null || resetsAt === null ? '' : `the ${per} that ends ${new Date(resetsAt).toISOString()}`
      return [`${meter}${per === null ? '' : `/${per}`}`, countText(count, 'time'), whenText(lastAtMs, nowMs), window]
    })
    sections.push(section('Refused by its limits', formatTable([], rows, width)))
  }
  if (calls.length > 0) sections.push(section('Calls', callTable(shown, { nowMs, width })))
  return sections
}

function totalsText({ totals }: ScopeReading, limits: readonly Limit[], part: 'settled' | 'assumed'): string {
  return amountsText(Object.fromEntries(Object.entries(totals).map(([key, total]) => [key, total[part] ?? 0])), limits)
}

function assumedField(text: string): readonly Field[] {
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
  return rows.length === 0 ? 'none' : formatTable(LIMIT_COLUMNS, rows, width)
}
