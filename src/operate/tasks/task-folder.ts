import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GroupResult, isGroupResult } from '../../runner/groups/group-result.ts'
import { isRunResult, type RunResult } from '../../runner/run/end/run-result.ts'

/** Where the tasks are, each in its own folder. */
export function tasksFolder({ homeFolder }: { readonly homeFolder: string }): string {
  return join(homeFolder, 'tasks')
}

/** Where the output of a run in the background goes. */
export function logFileOf(taskFolder: string): string {
  return join(taskFolder, 'run.log')
}

/** Whether a task was started in the background: only then is its output saved to a file. */
export function wasInBackground(folder: string, id: string): boolean {
  return existsSync(logFileOf(join(folder, id)))
}

/** The same for a group; `null` for the run of one agent. */
export function readGroupResult(taskFolder: string): GroupResult | null {
  const value = readMeta(taskFolder)
  return isGroupResult(value) ? value : null
}

/** The result of a run on disk; `null` if there is none yet, or it cannot be read. */
export function readResult(taskFolder: string): RunResult | null {
  const value = readMeta(taskFolder)
  return isRunResult(value) ? value : null
}

function readMeta(taskFolder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(taskFolder, 'meta.json'), 'utf8'))
  } catch {
    return null
  }
}
