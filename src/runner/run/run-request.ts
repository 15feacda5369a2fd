import type { Acceptance, AcceptanceInput, Agent } from '../../agents/index.ts'
import type { Scope } from '../../governor/index.ts'
import type { JsonSchema, LayerInput, SharedLimits } from '../../policy/index.ts'
import type { AskAboveInput } from './consent-layers.ts'
import type { RunProgress } from './run-progress.ts'

/** An agent, a task, and the options of this call. */
export interface RunRequest {
  readonly agent: Agent
  readonly task: string
  readonly workingFolder: string
  /** Instead of the agent's own; `null` or unset: the agent's own, or the default. */
  readonly model?: string | null
  /** Limits of the config, the environment and this call, and ceilings, each with the name of its layer. */
  readonly layers?: readonly LayerInput[]
  /** What it may start before a person is asked: `{ agents: 8, cost: 2 }`. */
  readonly askAbove?: AskAboveInput
  /** The wall-clock limit of this invocation. */
  readonly timeoutMs?: number
  /** An alias of `timeoutMs`: if both are set, they must be equal. */
  readonly maxRuntimeMs?: number
  /** Instead of the agent's own tools. */
  readonly allowedTools?: readonly string[] | null
  /** Files to show with the task, in addition to the agent's `defaultReads`. */
  readonly reads?: readonly string[]
  /** A file for the answer, relative to the working folder; `false`: none, even if the agent has one. */
  readonly output?: string | false
  /** The scope that pays. */
  readonly within?: Scope | null
  /** The caller's team and user: their budgets, `team:NAME` and `user:NAME`, pay too. */
  readonly team?: string
  readonly user?: string
  /** Cost limits for those budgets, in addition to those of the agent's file. */
  readonly sharedLimits?: SharedLimits
  /** The id of the task and of its scope. Default: generated. */
  readonly id?: string
  /** The terms of the limits: pi's also give `resourceLimitExceeded`. Default: those of the agent's file. */
  readonly words?: 'stint' | 'pi'
  /** A short description of the task. Default: the beginning of the task. */
  readonly description?: string | null
  /** The name of the scope. Default: the agent's. */
  readonly name?: string
  /** `false`: no closing call when a limit ends the work. */
  readonly wrapUp?: boolean
  /** A JSON schema that the answer must match. An answer that doesn't is sent back once; after that the run fails. */
  readonly outputSchema?: JsonSchema
  /** When the work counts as done, instead of what the agent's file says; `false`: when the agent says so. */
  readonly acceptance?: AcceptanceInput | false
  /** Messages that its conversation begins with, before its task. */
  readonly conversation?: readonly unknown[]
}

/** The settings of a run that is part of a group. */
export interface GroupPart {
  readonly id: string
  /** A folder that it may read and write in addition to the working folder; `null`: none. */
  readonly sharedFolder: string | null
  /** Overwrites the files of an earlier start that did not get as far as a message. */
  readonly isRestart: boolean
  /** It is already in the ledger: it was admitted with its group. */
  readonly isEntered?: boolean
}

/** The run of one child. */
export interface ChildRequest extends RunRequest {
  /** The same as `acceptance`, already parsed. */
  readonly contract?: Acceptance | false
  readonly group?: GroupPart
}

/** How to follow and abort a run. */
export interface RunOptions {
  /** Aborting it stops the run gently, and returns the output so far. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: RunProgress) => void
}
