import { isEnded, type LedgerStore, type ScopeReading, type Status } from '../../core/index.ts'
import type { TaskRecord } from '../../runner/tasks/task-record.ts'
import type { TaskShelf } from '../../runner/tasks/task-shelf.ts'
import { MOST_SCOPES } from '../ledger/find-scope.ts'
import { withAssumed } from '../ledger/with-assumed.ts'
import type { Platform } from '../platform.ts'

/** A task as it stands: its record, and what the ledger, which is the truth, says of its scope. */
export interface ListedTask {
  readonly record: TaskRecord
  /** `null` where it has not begun, or the ledger has forgotten the details. */
  readonly scope: ScopeReading | null
  readonly status: Status
  /** Its process has died, and nobody goes on with it. */
  readonly isStale: boolean
}

/** Every task, the newest first. */
export async function listTasks(
  shelf: TaskShelf,
  store: LedgerStore,
  platform: Platform,
): Promise<readonly ListedTask[]> {
  const records = shelf.list()
  if (records.length === 0) return []
  const atMs = platform.nowMs()
  const scopes = await withAssumed(store, await store.list({ standing: 'all', most: MOST_SCOPES, atMs }), atMs)
  const byId = new Map(scopes.map((scope) => [scope.id, scope]))
  return records.map((record) => listedTask(record, byId.get(record.id) ?? null, platform))
}

/** A task beside its scope. */
export function listedTask(record: TaskRecord, scope: ScopeReading | null, platform: Platform): ListedTask {
  const status = scope?.status ?? record.runStatus
  const isOpen = scope !== null && !isEnded(scope.status)
  const isDead = isOpen && (scope.isOrphaned || (scope.owner !== null && platform.isHolderAlive(scope.owner) === false))
  // Whoever paused it need not be there any more.
  return { record, scope, status, isStale: isDead && status !== 'paused' }
}
