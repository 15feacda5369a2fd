import type { Config } from '../../config/config.ts'
import { DEFAULT_HISTORY } from '../../config/settings/history.ts'
import { pruneTasks } from '../../operate/tasks/prune-tasks.ts'
import { tasksFolder } from '../../operate/tasks/task-folder.ts'
import type { Platform } from '../platform.ts'

const DAY_MS = 86_400_000

/** What the config says about when a ledger deletes what has ended; `null`: never. */
export function retentionOf(
  { history }: Pick<Config, 'history'>,
  atMs: number,
): { readonly beforeMs: number; readonly mostBytes?: number } | null {
  const { days, maxBytes } = history ?? DEFAULT_HISTORY
  if (days === false && maxBytes === false) return null
  const beforeMs = days === false ? 0 : Math.max(0, atMs - days * DAY_MS)
  return { beforeMs, ...(maxBytes === false ? {} : { mostBytes: maxBytes }) }
}

/** Deletes what the ledger need not keep, at most once a day. Never throws: the command has done its work. */
export async function applyRetention({ ledgerFiles, nowMs }: Platform, config: Config): Promise<void> {
  const { address } = config.store
  const atMs = nowMs()
  const retention = retentionOf(config, atMs)
  if (address.kind === 'memory' || retention === null) return
  try {
    const due = { ...retention, atMs, isDryRun: false, everyMs: DAY_MS }
    const { wasDue, beforeMs } = await ledgerFiles.prune(address, due)
    if (wasDue) pruneTasks(tasksFolder(config), beforeMs, false)
  } catch {
    // Busy, full, or without the rights: tomorrow, or by `stint prune`, which says why.
  }
}
