import type { AcceptanceInput } from '../../agents/index.ts'
import type { LimitsInput } from '../../policy/index.ts'
import type { TaskStatus } from './task-record.ts'

/** The arguments of `TaskCreate`. */
export interface TaskCreateCall {
  readonly subject: string
  readonly description?: string
}

/** The arguments of `Task`. */
export interface TaskCall {
  /** The name of an agent. */
  readonly subagent_type: string
  readonly prompt: string
  /** `haiku`, `sonnet`, `opus`, another short name of the config, or the full name of a model. */
  readonly model?: string
  readonly description?: string
  readonly allowed_tools?: readonly string[]
  /** With the published names and ranges: `max_turns`, `max_duration_ms`, `max_cost_usd`, `timeout_action`. */
  readonly execution_limits?: Readonly<Record<string, unknown>>
  /** The longest time from start to end, in milliseconds. `maxRuntimeMs` is another name for it. */
  readonly timeoutMs?: number
  readonly maxRuntimeMs?: number
  /** When the work counts as done, instead of what the agent's file says; `false`: when the agent says so. */
  readonly acceptance?: AcceptanceInput | false
  /** Returns at once; `TaskGet` shows the progress. */
  readonly run_in_background?: boolean
  /** The task to work on. Default: the one that the prompt names (`Task ID: #42`), or a new one. */
  readonly taskId?: string
}

/** The arguments of `TaskUpdate`. */
export interface TaskUpdateCall {
  readonly taskId: string
  readonly status?: TaskStatus
  readonly subject?: string
  readonly description?: string
  /** With `in_progress`, for a paused task: added to its limits, e.g. `{ turns: 10 }`. */
  readonly add?: LimitsInput
}
