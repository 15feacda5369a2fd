import type { Status } from '../../core/index.ts'

/** How a task stands, in the words of whoever polls it. */
export type TaskStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'paused'

/** How far a task has come. */
export interface TaskState {
  /** Tool calls so far. */
  readonly turns: number
  readonly accumulated_cost_usd: number
  readonly elapsed_ms: number
}

/** The record of a run: `task.json` in its folder, replaced whole. */
export interface TaskRecord {
  readonly id: string
  /** What it is about, in a few words. */
  readonly subject: string
  readonly description: string | null
  /** `null` while it is not decided who does it. */
  readonly agent: string | null
  /** What the agent was told. */
  readonly task: string | null
  readonly status: TaskStatus
  /** The same in the words of the ledger, which tell the ways apart in which a run can end. */
  readonly runStatus: Status
  /** Why it stands; `null` unless it is paused. */
  readonly reason: string | null
  /** Why it failed; `null` unless it did. */
  readonly error: string | null
  readonly resume_url: string | null
  readonly state: TaskState | null
  readonly warnings: readonly string[]
  readonly model: string | null
  readonly workingFolder: string | null
  /** The process that runs it, as far as it is known. */
  readonly pid: number | null
  readonly createdAtMs: number
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
}
