import { join } from 'node:path'
import { isPlainObject } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { writeWhole } from '../../system/write-whole.ts'
import { readSmallFile } from '../tasks/read-small-file.ts'
import { isTaskId, taskFiles } from '../tasks/task-files.ts'
import type { RunnerContext } from './runner.ts'

const FILE = 'asked.json'

/** The questions that were left open when a run was paused, so that a resumed run does not ask them again after a no. */
export interface AskedBefore {
  /** Whether the question about starting this task was denied, or expired. */
  wasDenied(id: string): Promise<boolean>
  /** Records that the run is paused for the question about this task. Never throws: at worst it is asked again. */
  remember(id: string): void
}

export function askedBefore({ taskFolder }: RunnerContext, run: Scope): AskedBefore {
  // A budget has no folder.
  const file = isTaskId(run.id) ? join(taskFiles(taskFolder, run.id).folder, FILE) : null
  return {
    async wasDenied(id) {
      const request = file === null ? undefined : requestsIn(file)[id]
      if (request === undefined) return false
      const status = await edgeOf(run).requestStatus(request)
      return status === 'denied' || status === 'expired'
    },
    remember(id) {
      const request = edgeOf(run).pauseOnPath()?.request ?? null
      if (request === null || file === null) return
      try {
        writeWhole(file, `${JSON.stringify({ ...requestsIn(file), [id]: request })}\n`)
      } catch {
        // A run of another program has no folder here.
      }
    },
  }
}

/** The ids of requests, by the ids of the tasks that they are about. */
function requestsIn(file: string): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(readSmallFile(file) ?? '{}')
    return isPlainObject(value) ? (value as Readonly<Record<string, string>>) : {}
  } catch {
    return {}
  }
}
