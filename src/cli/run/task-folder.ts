import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPlainObject } from '../../core/index.ts'
import type { RunResult } from '../../runner/index.ts'
import type { Config } from '../config/config.ts'

/** Where the tasks are, each in a folder of its own. */
export function tasksFolder({ homeFolder }: Config): string {
  return join(homeFolder, 'tasks')
}

/** Where a run in the background says what it has to say. */
export function logFileOf(taskFolder: string): string {
  return join(taskFolder, 'run.log')
}

/** Whether a task was begun with `--background`: only there is what it says kept in a file. */
export function wasInBackground(config: Config, id: string): boolean {
  return existsSync(logFileOf(join(tasksFolder(config), id)))
}

/** What became of a run, as it is on disk; `null` where nothing is yet, or nothing that can be read. */
export function readResult(taskFolder: string): RunResult | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(taskFolder, 'meta.json'), 'utf8'))
    return isPlainObject(value) && typeof value.status === 'string' ? (value as unknown as RunResult) : null
  } catch {
    return null
  }
}
