import type { Scope } from '../../governor/index.ts'
import type { LayerInput, LimitsInput, SharedLimits } from '../../policy/index.ts'
import type { AskAboveInput } from '../run/consent-layers.ts'
import type { Chain, ChainInput, ChildContext, ChildInput } from './chain/chain.ts'
import type { GroupProgress } from './group-progress.ts'

/** What every group of agents is started with. */
export interface GroupRequest {
  readonly workingFolder: string
  /** The name of the group and of its scope. */
  readonly name?: string
  /** The id of the group, and of its scope. Default: made up. */
  readonly id?: string
  /** Limits of the whole group, which its agents share: those of the config, the environment and this call. */
  readonly layers?: readonly LayerInput[]
  /** What it may come to before someone is asked: `{ agents: 8, cost: 2 }`. */
  readonly askAbove?: AskAboveInput
  /** The wall-clock of the whole group. */
  readonly timeoutMs?: number
  /** Another name of `timeoutMs`: where both are given they must be equal. */
  readonly maxRuntimeMs?: number
  /** How many agents run at once. Default: 4. */
  readonly concurrency?: number
  /** What each agent may have of what the group has. */
  readonly share?: 'equal' | LimitsInput
  readonly context?: ChildContext
  /** The conversation that agents with `context: 'fork'` begin with. */
  readonly conversation?: readonly unknown[]
  /** The model of those whose step and agent name none. */
  readonly model?: string | null
  /** The scope that pays. */
  readonly within?: Scope | null
  /** The caller's team and user: their budgets, `team:NAME` and `user:NAME`, pay too. */
  readonly team?: string
  readonly user?: string
  readonly sharedLimits?: SharedLimits
  /** What the group is about, in a few words. */
  readonly description?: string | null
  /** `false`: no closing calls when a limit ends the work. */
  readonly wrapUp?: boolean
}

/** Agents that run at once. Their tasks are taken as they are: nothing in them is a template. */
export interface ParallelRequest extends GroupRequest {
  readonly tasks: readonly ChildInput[]
  /** Whether the first that does not complete ends the others. */
  readonly failFast?: boolean
  /** Whether each works in a git worktree of its own. */
  readonly worktree?: boolean
}

/** Steps that follow each other. */
export interface ChainRequest extends GroupRequest {
  readonly chain: Chain | ChainInput
  /** What the chain is to do: `{task}`. */
  readonly task: string
}

/** How a group is followed, and called off. */
export interface GroupOptions {
  /** Aborted: running agents are stopped gracefully, others are not started, and the results so far are returned. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: GroupProgress) => void
}

export interface GroupResumeOptions extends GroupOptions {
  /** How much more the whole group may have of what is limited, before it goes on. */
  readonly add?: LimitsInput
  /** Who resumes it, for the records. */
  readonly by?: string
}
