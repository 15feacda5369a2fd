import { isEnded } from '../../core/index.ts'
import { createTaskStore } from '../../runner/tasks/create-task-store.ts'
import type { Operator } from '../operator.ts'
import { scopeDetails } from '../scopes/scope-details.ts'
import { type ListedTask, listedTask } from './listed-task.ts'
import { taskView } from './task-view.ts'

export interface TaskList {
  /** The newest first. */
  readonly tasks: readonly ListedTask[]
  /** How many older ones are left out. */
  readonly older: number
}

/** The tasks that are open, and the newest of those that have ended. */
export async function listTasks(
  operator: Operator,
  tasksFolder: string,
  { mostEnded }: { readonly mostEnded: number },
): Promise<TaskList> {
  const { store, nowMs } = operator
  const stored = createTaskStore(tasksFolder)
  const all = stored.list()
  // The agents of a group are shown with it, unless everything is requested.
  const records = mostEnded === Number.POSITIVE_INFINITY ? all : all.filter(({ parent }) => !parent)
  const atMs = nowMs()
  const paths = await Promise.all(records.map(({ id }) => store.read({ scopeId: id, atMs })))
  const scopes = await scopeDetails(
    operator,
    paths.flatMap((path) => path?.at(-1) ?? []),
  )
  const byId = new Map(scopes.map((scope) => [scope.id, scope]))
  let ended = 0
  const tasks = records
    .map((record) => listedTask(record, byId.get(record.id) ?? null, stored.folderOf(record.id)))
    .filter(({ status }) => !isEnded(status) || ended++ < mostEnded)
  return { tasks, older: records.length - tasks.length }
}

export function taskListView({ tasks, older }: TaskList) {
  return { tasks: tasks.map(taskView), isTruncated: older > 0 }
}
