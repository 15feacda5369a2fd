import { existsSync } from 'node:fs'
import { isStintError } from '../../core/index.ts'
import { createTaskStore } from '../../runner/tasks/create-task-store.ts'
import { taskFiles } from '../../runner/tasks/task-files.ts'
import type { TaskRecord } from '../../runner/tasks/task-record.ts'
import { beginningWith } from '../find/beginning-with.ts'

/** A task on disk. */
export interface FoundTask {
  readonly record: TaskRecord
  readonly folder: string
  /** The file with what it needs to continue. */
  readonly request: string
  /** Whether the state that an agent needs to continue was saved. */
  readonly canGoOn: boolean
}

/** The task of a scope; `null` if the scope is not the run of an agent. */
export function findTask(tasksFolder: string, id: string): FoundTask | null {
  try {
    const record = createTaskStore(tasksFolder).get(id)
    if (record === null) return null
    const { folder, request } = taskFiles(tasksFolder, id)
    return { record, folder, request, canGoOn: existsSync(request) }
  } catch (error) {
    // The id of a scope, such as a budget, may not be valid for a task.
    if (isStintError(error, 'invalid_option')) return null
    throw error
  }
}

/** The only task whose id starts with a text; `null` if there is none, or more than one. */
export function findTaskStarting(tasksFolder: string, text: string): TaskRecord | null {
  const tasks = beginningWith(createTaskStore(tasksFolder).list(), text)
  return tasks.find(({ id }) => id === text) ?? (tasks.length === 1 ? tasks[0]! : null)
}
