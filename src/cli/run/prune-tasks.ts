import { rmSync } from 'node:fs'
import { isEnded } from '../../core/index.ts'
import type { CommandContext } from '../command-context.ts'
import { openShelf } from './open-shelf.ts'

/** Removes the folders of tasks that ended before a time. Returns how many there were. */
export function pruneTasks(context: CommandContext, beforeMs: number, isDryRun: boolean): number {
  const shelf = openShelf(context)
  const old = shelf
    .list()
    .filter(({ runStatus, endedAtMs }) => isEnded(runStatus) && endedAtMs !== null && endedAtMs < beforeMs)
  if (!isDryRun) for (const { id } of old) rmSync(shelf.folderOf(id), { recursive: true, force: true })
  return old.length
}
