import type { Scope } from '../../governor/index.ts'
import type { LayerInput, LimitsInput, SharedLimits } from '../../policy/index.ts'
import type { AskAboveInput } from '../run/consent-layers.ts'
import type { Chain, ChainInput, ChildContext, ChildInput } from './chain/chain.ts'
import type { GroupProgress } from './group-progress.ts'

/** The common options of every group of agents. */
export interface GroupRequest {
  readonly workingFolder: string
  /** The name of the group and of its scope. */
  readonly name?: string
  /** The id of the group and of its scope. Default: generated. */
  readonly id?: string
  /** Limits that the agents of the group share: those of the config, the environment and this call. */
  readonly layers?: readonly LayerInput[]
  /** How large it may get before a person is asked: `{ agents: 8, cost: 2 }`. */
  readonly askAbove?: AskAboveInput
  /** The wall-clock limit of the whole group. */
  readonly timeoutMs?: number
  /** An alias of `timeoutMs`: if both are set, they must be equal. */
  readonly maxRuntimeMs?: number
  /** How many agents run at once. Default: 4. */
  readonly concurrency?: number
  /** Each agent's share of the group's limits. */
  readonly share?: 'equal' | LimitsInput
  readonly context?: ChildContext
  /** The conversation that agents with `context: 'fork'` begin with. */
  readonly conversation?: readonly unknown[]
  /** The model of agents whose step and file name none. */
  readonly model?: string | null
  /** The scope that pays. */
  readonly within?: Scope | null
  /** The caller's team and user: their budgets, `team:NAME` and `user:NAME`, pay too. */
  readonly team?: string
  readonly user?: string
  readonly sharedLimits?: SharedLimits
  /** A short description of the group. */
  readonly description?: string | null
  /** `false`: no closing calls when a limit ends the work. */
  readonly wrapUp?: boolean
}

/** Agents that run at once. Their tasks are plain text, not templates. */
export interface ParallelRequest extends GroupRequest {
  readonly tasks: readonly ChildInput[]
  /** Whether the first agent that does not complete ends the others. */
  readonly failFast?: boolean
  /** Whether each works in its own git worktree. */
  readonly worktree?: boolean
}

/** Steps in sequence. */
export interface ChainRequest extends GroupRequest {
  readonly chain: Chain | ChainInput
  /** The task of the chain: `{task}`. */
  readonly task: string
}

/** How to follow and abort a group. */
export interface GroupOptions {
  /** Aborted: running agents are stopped gracefully, others are not started, and the results so far are returned. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: GroupProgress) => void
}

export interface GroupResumeOptions extends GroupOptions {
  /** Added to the limits of the whole group before it continues. */
  readonly add?: LimitsInput
  /** Who resumes it, for the records. */
  readonly by?: string
}
