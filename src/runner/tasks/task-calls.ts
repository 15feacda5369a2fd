import type { LimitsInput } from '../../policy/index.ts'
import type { TaskStatus } from './task-record.ts'

/** What `TaskCreate` takes. */
export interface TaskCreateCall {
  readonly subject: string
  readonly description?: string
}

/** What `Task` takes. */
export interface TaskCall {
  /** The name of an agent. */
  readonly subagent_type: string
  readonly prompt: string
  /** `haiku`, `sonnet`, `opus` or any other name of the config, or the whole name of a model. */
  readonly model?: string
  readonly description?: string
  readonly allowed_tools?: readonly string[]
  /** In the published names and ranges: `max_turns`, `max_duration_ms`, `max_cost_usd`, `timeout_action`. */
  readonly execution_limits?: Readonly<Record<string, unknown>>
  /** Returns at once; `TaskGet` shows how it goes on. */
  readonly run_in_background?: boolean
  /** The task of `TaskCreate` that is done with it. Default: the one that the prompt names (`Task ID: #42`), or a new one. */
  readonly taskId?: string
}

/** What `TaskUpdate` takes. */
export interface TaskUpdateCall {
  readonly taskId: string
  readonly status?: TaskStatus
  readonly subject?: string
  readonly description?: string
  /** With `in_progress`, for a paused task: how much more it may have, e.g. `{ turns: 10 }`. */
  readonly add?: LimitsInput
}
