import { isEnded, type ScopeReading, StintError } from '../../core/index.ts'
import type { RunResult } from '../../runner/index.ts'
import { sleep } from '../../system/index.ts'
import type { Operator } from '../operator.ts'
import { endTree } from '../scopes/end-tree.ts'
import { isOwnerAlive } from '../scopes/scope-details.ts'
import { findTask } from './find-task.ts'
import { readResult } from './task-folder.ts'

const LOOK_EVERY_MS = 100
// Tools in flight get their grace period, and the artifacts have to be written.
const LONGEST_WAIT_MS = 30_000

export interface InterruptedTask {
  readonly id: string
  readonly path: string
  readonly folder: string
  readonly isOwnerAlive: boolean
  /** The result that its process delivered; `null` if there is none yet. */
  readonly result: RunResult | null
}

/**
 * Ends a task through the ledger, where its process sees it within a second, and waits for that process to deliver its
 * result.
 */
export async function interruptTask(
  operator: Operator,
  scope: ScopeReading,
  { tasksFolder, wait }: { readonly tasksFolder: string; readonly wait: boolean },
): Promise<InterruptedTask> {
  const { id, path, status, owner } = scope
  const task = findTask(tasksFolder, id)
  if (task === null) {
    throw new StintError('unknown_task', `"${path}" is not the run of an agent. To end it: stint stop ${id}`)
  }
  if (isEnded(status)) throw new StintError('scope_closed', `"${path}" has already ended (${status}).`)
  const isAlive = owner !== null && isOwnerAlive(operator, scope) !== false
  // Not paused first, as `stint stop` does: its loop might then report a pause instead of an end.
  await endTree(operator, id, 'stopped')
  const { folder } = task
  // A paused task delivered its result before its process ended.
  const result = !isAlive ? readResult(folder) : wait ? await untilHandedOver(folder) : readEnded(folder)
  return { id, path, folder, isOwnerAlive: isAlive, result }
}

export function interruptedTaskView({ id, path, isOwnerAlive: isAlive, result }: InterruptedTask) {
  const partialOutput = result?.partialOutput ?? null
  return { id, path, status: 'stopped', isOwnerAlive: isAlive, hasHandedOver: result !== null, partialOutput, result }
}

/** Ignores the result of an earlier part of the run, before a pause. */
function readEnded(folder: string): RunResult | null {
  const result = readResult(folder)
  return result !== null && isEnded(result.status) ? result : null
}

async function untilHandedOver(folder: string): Promise<RunResult | null> {
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += LOOK_EVERY_MS) {
    const result = readEnded(folder)
    if (result !== null) return result
    await sleep(LOOK_EVERY_MS)
  }
  return null
}
