import { isEnded, StintError } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import type { RunResult } from '../../runner/index.ts'
import { sleep } from '../../system/index.ts'
import type { CommandContext } from '../command-context.ts'
import { findScope } from '../ledger/find-scope.ts'
import { stopScope } from '../ledger/stop-scope.ts'
import { answerText } from '../output/answer-text.ts'
import type { Report } from '../output/report.ts'
import { openShelf } from './open-shelf.ts'
import { readResult } from './task-folder.ts'

const LOOK_EVERY_MS = 100
// The tools in flight have their grace, and the artifacts must be written.
const LONGEST_WAIT_MS = 30_000

/**
 * Ends a task through the ledger, where its process sees it within a second, and waits until that process has handed
 * over what it has.
 */
export async function interruptTask(
  context: CommandContext,
  text: string,
  { wait }: { readonly wait: boolean },
): Promise<Report> {
  const { platform } = context
  const store = await context.store()
  const { id, path, status, owner, isOrphaned } = await findScope(store, text, platform.nowMs())
  const shelf = openShelf(context)
  if (shelf.get(id) === null) {
    throw new StintError('unknown_task', `"${path}" is not the run of an agent. To end it: stint stop ${id}`)
  }
  if (isEnded(status)) throw new StintError('scope_closed', `"${path}" has ended already (${status}).`)
  const isAlive = owner !== null && !isOrphaned && platform.isHolderAlive(owner) !== false
  // Not paused first, as `stint stop` does: its loop would hand over a pause instead of an end, if it saw that.
  await stopScope(store, id, platform.nowMs)
  const folder = shelf.folderOf(id)
  // One that stood had handed over what it had before its process ended.
  const result = !isAlive ? readResult(folder) : wait ? await untilHandedOver(folder) : readEnded(folder)
  const partialOutput = result?.partialOutput ?? null
  return {
    json: { id, path, status: 'stopped', isOwnerAlive: isAlive, hasHandedOver: result !== null, partialOutput, result },
    text:
      partialOutput === null ? `Interrupted ${printable(path)}.` : answerText(partialOutput, platform.terminals.output),
    notices: [
      ...(partialOutput === null ? [] : [`Interrupted ${printable(path)}: this is what it had so far.`]),
      ...(isAlive ? [] : ['The process that ran it is dead: what it had is in its transcript.']),
      ...(wait && isAlive && result === null ? ['Its process has not handed anything over yet.'] : []),
      `Artifacts: ${printable(folder)}`,
    ],
  }
}

/** A result of an invocation that was paused before is not the one that is waited for. */
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
