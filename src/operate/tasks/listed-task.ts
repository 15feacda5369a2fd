import type { Status } from '../../core/index.ts'
import type { TaskRecord } from '../../runner/tasks/task-record.ts'
import type { ScopeDetails } from '../scopes/scope-details.ts'

/** A task: its record, and its scope in the ledger, which takes precedence. */
export interface ListedTask {
  readonly record: TaskRecord
  /** `null` if it has not started, or its details were pruned. */
  readonly scope: ScopeDetails | null
  readonly status: Status
  /** Its process has died, and no other process has taken it over. */
  readonly isStale: boolean
  readonly folder: string
}

/** A task and its scope. */
export function listedTask(record: TaskRecord, scope: ScopeDetails | null, folder: string): ListedTask {
  return { record, scope, status: scope?.status ?? record.runStatus, isStale: scope?.isStale ?? false, folder }
}
