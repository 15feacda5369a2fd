import type { Agent } from '../../agents/index.ts'
import type { Scope } from '../../governor/index.ts'
import type { LayerInput, SharedLimits } from '../../policy/index.ts'
import type { RunProgress } from './run-progress.ts'

/** What is to be run: an agent with a task, and what this one call says about it. */
export interface RunRequest {
  readonly agent: Agent
  readonly task: string
  readonly workingFolder: string
  /** Over the agent's own; `null` and left out: the agent's own, or the default. */
  readonly model?: string | null
  /** Limits of the config, of the environment and of this call, and ceilings: each with the name of its layer. */
  readonly layers?: readonly LayerInput[]
  /** The wall-clock of this invocation. */
  readonly timeoutMs?: number
  /** Another name of `timeoutMs`: where both are given they must be equal. */
  readonly maxRuntimeMs?: number
  /** Instead of the agent's own tools. */
  readonly allowedTools?: readonly string[] | null
  /** Files that the agent is shown with its task, beside its own `defaultReads`. */
  readonly reads?: readonly string[]
  /** A file for the answer, relative to the working folder; `false`: none, whatever the agent says. */
  readonly output?: string | false
  /** The scope that pays. */
  readonly within?: Scope | null
  /** The caller's team and user: their budgets, `team:NAME` and `user:NAME`, pay too. */
  readonly team?: string
  readonly user?: string
  /** Cost limits for those budgets, beside those of the agent's file. */
  readonly sharedLimits?: SharedLimits
  /** The id of the task, and of its scope. Default: made up. */
  readonly id?: string
  /** The words in which the limits were written: pi's also give `resourceLimitExceeded`. Default: those of the agent's file. */
  readonly words?: 'stint' | 'pi'
  /** What the task is about, in a few words. Default: the beginning of the task. */
  readonly description?: string | null
  /** The name of the scope. Default: the agent's. */
  readonly name?: string
  /** `false`: no closing call when a limit ends the work. */
  readonly wrapUp?: boolean
}

/** How a run is followed, and called off. */
export interface RunOptions {
  /** Aborted: what runs is stopped softly, and what there is so far is handed back. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: RunProgress) => void
}
