import type { AcceptanceResult } from '../acceptance/acceptance-result.ts'
import type { TaskRecord, TaskState, TaskStatus } from './task-record.ts'

/** A task as `Task`, `TaskGet` and `TaskUpdate` show it. */
export interface TaskView {
  readonly taskId: string
  readonly subject: string
  readonly description: string | null
  readonly status: TaskStatus
  /** `Execution limit exceeded: max_turns`, or another reason. */
  readonly error?: string
  /** Why it is paused. */
  readonly reason?: string
  readonly resume_url?: string
  readonly state?: TaskState
  readonly warnings: readonly string[]
  /** Its answer, or its last output if it did not complete. */
  readonly output?: string
  /** The outcome of its contract, if it has one. */
  readonly acceptance?: AcceptanceResult
}

/** Converts a record to a view, without empty fields. */
export function taskView(record: TaskRecord, output: string | null, acceptance: AcceptanceResult | null): TaskView {
  const { id: taskId, subject, description, status, error, reason, resume_url, state, warnings } = record
  return {
    taskId,
    subject,
    description,
    status,
    warnings,
    ...(error === null ? {} : { error }),
    ...(reason === null ? {} : { reason }),
    ...(resume_url === null ? {} : { resume_url }),
    ...(state === null ? {} : { state }),
    ...(output === null ? {} : { output }),
    ...(acceptance === null ? {} : { acceptance }),
  }
}
