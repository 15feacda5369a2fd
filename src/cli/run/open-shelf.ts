import { createTaskShelf } from '../../runner/tasks/create-task-shelf.ts'
import type { TaskShelf } from '../../runner/tasks/task-shelf.ts'
import type { CommandContext } from '../command-context.ts'
import { tasksFolder } from './task-folder.ts'

/** The tasks of the config, to look at: nothing of the runner is loaded for that. */
export function openShelf(context: CommandContext): TaskShelf {
  return createTaskShelf(tasksFolder(context.config()))
}
