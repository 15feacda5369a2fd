import type { Status } from '../../core/index.ts'
import type { TaskRecord } from '../../runner/tasks/task-record.ts'
import type { ScopeDetails } from '../scopes/scope-details.ts'

/** A task as it stands: its record, and what the ledger, which decides, says of its scope. */
export interface ListedTask {
  readonly record: TaskRecord
  /** `null` where it has not begun, or the ledger has forgotten the details. */
  readonly scope: ScopeDetails | null
  readonly status: Status
  /** Its process has died, and no other has taken it over. */
  readonly isStale: boolean
  readonly folder: string
}

/** A task beside its scope. */
export function listedTask(record: TaskRecord, scope: ScopeDetails | null, folder: string): ListedTask {
  return { record, scope, status: scope?.status ?? record.runStatus, isStale: scope?.isStale ?? false, folder }
}
