import { printable } from '../../core/checks/printable.ts'
import { countText } from '../../operate/count-text.ts'
import { listTasks, taskListView } from '../../operate/tasks/list-tasks.ts'
import type { ListedTask } from '../../operate/tasks/listed-task.ts'
import { tasksFolder } from '../../operate/tasks/task-folder.ts'
import type { CommandContext } from '../command-context.ts'
import type { Report } from '../output/report.ts'
import { scopeMeters } from '../output/scope-meters.ts'
import { shortIds } from '../output/short-id.ts'
import { statusText } from '../output/status-text.ts'
import { type Cell, formatTable } from '../output/table.ts'
import { whenText } from '../output/when.ts'

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
  const mostEnded = isAll ? Number.POSITIVE_INFINITY : MOST_ENDED
  const list = await listTasks(await context.operator(), tasksFolder(context.config()), { mostEnded })
  const { tasks, older } = list
  const none = 'No tasks yet. To run one: stint run AGENT TASK'
  return {
    json: () => taskListView(list),
    text: () => (tasks.length === 0 ? none : formatTable(COLUMNS, rowsOf(context, tasks), context.width)),
    notices: [
      ...staleNotices(tasks),
      ...(older === 0 ? [] : [`${countText(older, 'older task')} not shown: stint tasks --all`]),
    ],
  }
}

function rowsOf({ platform, paint }: CommandContext, tasks: readonly ListedTask[]): readonly (readonly Cell[])[] {
  const idOf = shortIds(tasks.map(({ record }) => record))
  const nowMs = platform.nowMs()
  return tasks.map((task) => {
    const { record, scope } = task
    return [
      printable(idOf(record)),
      printable(record.agent ?? '–'),
      statusText(task, paint),
      firstLine(record.task ?? record.subject),
      scope === null ? '' : scopeMeters(scope),
      whenText(record.startedAtMs ?? record.createdAtMs, nowMs),
    ]
  })
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n')
  const shown = printable(line)
  return shown.length > LONGEST_TASK ? `${shown.slice(0, LONGEST_TASK - 1)}…` : shown
}

function staleNotices(tasks: readonly ListedTask[]): readonly string[] {
  const stale = tasks.filter(({ isStale }) => isStale)
  if (stale.length === 0) return []
  if (stale.length > 1)
    return [`${stale.length} of these tasks have lost their process. To continue one: stint resume ID`]
  return [`The process of 1 task is dead. To continue: stint resume ${stale[0]!.record.id}`]
}
