import { printable } from '../../core/checks/printable.ts'
import type { Status } from '../../core/index.ts'

/** The status of a task, for clients that poll it. */
export type TaskStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'paused'

/** The progress of a task. */
export interface TaskState {
  /** Tool calls so far. */
  readonly turns: number
  readonly accumulated_cost_usd: number
  readonly elapsed_ms: number
}

/** The record of a run: `task.json` in its folder, replaced atomically. */
export interface TaskRecord {
  readonly id: string
  /** The group that it is part of; `null` or missing: none. */
  readonly parent?: string | null
  /** A short description. */
  readonly subject: string
  readonly description: string | null
  /** `null` until it is assigned. */
  readonly agent: string | null
  /** The prompt. */
  readonly task: string | null
  readonly status: TaskStatus
  /** The ledger's status, which distinguishes the ways in which a run can end. */
  readonly runStatus: Status
  /** Why it is paused; `null` if it isn't. */
  readonly reason: string | null
  /** Why it failed; `null` if it didn't. */
  readonly error: string | null
  readonly resume_url: string | null
  readonly state: TaskState | null
  readonly warnings: readonly string[]
  readonly model: string | null
  readonly workingFolder: string | null
  /** The process that runs it, if known. */
  readonly pid: number | null
  readonly createdAtMs: number
  readonly startedAtMs: number | null
  readonly endedAtMs: number | null
}

/** The URL that resumes a paused task. */
export function resumeUrl(id: string): string {
  return `/tasks/${encodeURIComponent(id)}/resume`
}

const LONGEST = 80

/** The subject of a task without a description: its first line. */
export function subjectFrom(text: string): string {
  return printable(text.trim().split('\n', 1)[0]!).slice(0, LONGEST)
}
