import { existsSync } from 'node:fs'
import { isStintError } from '../../core/index.ts'
import { taskFiles } from '../../runner/tasks/task-files.ts'
import type { TaskRecord } from '../../runner/tasks/task-record.ts'
import type { CommandContext } from '../command-context.ts'
import { openShelf } from './open-shelf.ts'
import { tasksFolder } from './task-folder.ts'

/** A task on disk. */
export interface FoundTask {
  readonly record: TaskRecord
  readonly folder: string
  /** Whether what an agent needs to go on was kept. */
  readonly canGoOn: boolean
}

/** The task of a scope; `null` where the scope is no run of an agent. */
export function findTask(context: CommandContext, id: string): FoundTask | null {
  try {
    const record = openShelf(context).get(id)
    if (record === null) return null
    const { folder, request } = taskFiles(tasksFolder(context.config()), id)
    return { record, folder, canGoOn: existsSync(request) }
  } catch (error) {
    // The id of a scope, such as a budget's, may be none of a task.
    if (isStintError(error, 'invalid_option')) return null
    throw error
  }
}

/** The only task whose id begins so; `null` where there is none, or more than one. */
export function taskBeginningWith(context: CommandContext, text: string): TaskRecord | null {
  const tasks =
    text === ''
      ? []
      : openShelf(context)
          .list()
          .filter(({ id }) => id.startsWith(text))
  return tasks.find(({ id }) => id === text) ?? (tasks.length === 1 ? tasks[0]! : null)
}
