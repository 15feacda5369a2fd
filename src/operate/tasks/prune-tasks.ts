import { rmSync } from 'node:fs'
import { isEnded } from '../../core/index.ts'
import { createTaskStore } from '../../runner/tasks/create-task-store.ts'

/** Removes the folders of tasks that ended before a time. Returns how many there were. */
export function pruneTasks(tasksFolder: string, beforeMs: number, isDryRun: boolean): number {
  const tasks = createTaskStore(tasksFolder)
  const old = tasks
    .list()
    .filter(({ runStatus, endedAtMs }) => isEnded(runStatus) && endedAtMs !== null && endedAtMs < beforeMs)
  if (!isDryRun) for (const { id } of old) rmSync(tasks.folderOf(id), { recursive: true, force: true })
  return old.length
}
