import { isEnded } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { CommandContext } from '../command-context.ts'
import { countText } from '../output/count-text.ts'
import type { Paint } from '../output/paint.ts'
import type { Report } from '../output/report.ts'
import { scopeMeters } from '../output/scope-meters.ts'
import { shortIds } from '../output/short-id.ts'
import { statusText } from '../output/status-text.ts'
import { type Cell, formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'
import type { ListedTask } from '../run/list-tasks.ts'

const COLUMNS = [
  'ID',
  'AGENT',
  'STATUS',
  { heading: 'TASK', shrinksTo: 12 },
  'USED',
  { heading: 'BEGAN', dropOrder: 1 },
] as const
const LONGEST_TASK = 50
const MOST_ENDED = 20

/** `stint tasks`. */
export async function showTasks(context: CommandContext, isAll: boolean): Promise<Report> {
  const { platform, paint } = context
  const { openShelf } = await import('../run/open-shelf.ts')
  const { listTasks } = await import('../run/list-tasks.ts')
  const { taskJson } = await import('../run/task-json.ts')
  const shelf = openShelf(context)
  const all = await listTasks(shelf, await context.store(), platform)
  const tasks = isAll ? all : newestOf(all)
  const json = {
    tasks: tasks.map((task) => taskJson(task, shelf.folderOf(task.record.id))),
    isTruncated: tasks.length < all.length,
  }
  if (tasks.length === 0) return { json, text: 'No tasks yet. To run one: stint run AGENT TASK' }
  const idOf = shortIds(all.map(({ record }) => record))
  const nowMs = platform.nowMs()
  const rows = tasks.map((task) => rowOf(task, { idOf, nowMs, paint }))
  const left = all.length - tasks.length
  return {
    json,
    text: formatTable(COLUMNS, rows, context.width),
    notices: [
      ...staleNotices(tasks),
      ...(left === 0 ? [] : [`${countText(left, 'older task')} not shown: stint tasks --all`]),
    ],
  }
}

function newestOf(tasks: readonly ListedTask[]): readonly ListedTask[] {
  let ended = 0
  return tasks.filter(({ status }) => !isEnded(status) || ended++ < MOST_ENDED)
}

function rowOf(
  { record, scope, status, isStale }: ListedTask,
  { idOf, nowMs, paint }: { readonly idOf: ReturnType<typeof shortIds>; readonly nowMs: number; readonly paint: Paint },
): readonly Cell[] {
  return [
    printable(idOf(record)),
    printable(record.agent ?? '–'),
    isStale ? paint.red('stale') : statusText(status, paint),
    firstLine(record.task ?? record.subject),
    scope === null ? '' : scopeMeters(scope),
    whenText(record.startedAtMs ?? record.createdAtMs, nowMs),
  ]
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n')
  const shown = printable(line)
  return shown.length > LONGEST_TASK ? `${shown.slice(0, LONGEST_TASK - 1)}…` : shown
}

function staleNotices(tasks: readonly ListedTask[]): readonly string[] {
  const stale = tasks.filter(({ isStale }) => isStale)
  if (stale.length === 0) return []
  const named = stale.length === 1 ? stale[0]!.record.id : 'ID'
  return [`The process of ${countText(stale.length, 'task')} is dead. To go on with it: stint resume ${named}`]
}
