import { existsSync } from 'node:fs'
import type { GroupResult } from '../../runner/groups/group-result.ts'
import type { RunResult } from '../../runner/run/end/run-result.ts'
import { taskFiles } from '../../runner/tasks/task-files.ts'
import type { ScopeDetails } from '../scopes/scope-details.ts'
import { findTask } from './find-task.ts'
import { type ListedTask, listedTask } from './listed-task.ts'
import { logFileOf, readGroupResult, readResult } from './task-folder.ts'
import { taskView } from './task-view.ts'

/** A task with everything that is on disk about it. */
export interface ShownTask extends ListedTask {
  /** `null` during its first run, or if its process died. */
  readonly result: RunResult | null
  /** The same for a group. */
  readonly group: GroupResult | null
  readonly files: Readonly<Record<string, string>>
}

/** Everything known about a task; `null` if the scope is not the run of an agent. */
export function readTask(tasksFolder: string, id: string, scope: ScopeDetails | null): ShownTask | null {
  const task = findTask(tasksFolder, id)
  if (task === null) return null
  const { folder, record } = task
  const { input, output, transcript, meta } = taskFiles(tasksFolder, id)
  const files = Object.entries({ input, output, transcript, meta, log: logFileOf(folder) })
  return {
    ...listedTask(record, scope, folder),
    result: readResult(folder),
    group: readGroupResult(folder),
    files: Object.fromEntries(files.filter(([, file]) => existsSync(file))),
  }
}

export function shownTaskView(task: ShownTask) {
  const { record, folder, files, group } = task
  const { model, error, attempts, breach, output, partialOutput, durationMs, usage, children, acceptance } =
    task.result ?? NO_RESULT
  return {
    ...taskView(task),
    model: model ?? record.model ?? null,
    error: error ?? record.error,
    output,
    partialOutput,
    breach,
    attempts,
    durationMs,
    usage,
    children,
    acceptance: acceptance ?? null,
    artifacts: { folder, ...files },
    ...(group === null ? {} : { counts: group.counts, results: group.results }),
  }
}

const NO_RESULT = {
  model: null,
  attempts: [],
  breach: null,
  output: null,
  partialOutput: null,
  error: null,
  durationMs: null,
  usage: null,
  children: [],
  acceptance: null,
} as const
