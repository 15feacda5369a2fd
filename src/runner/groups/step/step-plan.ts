import type { ParsedLimits } from '../../../policy/index.ts'
import type { ChildContext, ChildStep } from '../chain/chain.ts'

/** One agent of a step with everything filled in, as saved before the first of them starts. */
export interface PlannedChild extends Omit<ChildStep, 'context' | 'count'> {
  /** The id of its task and its scope, by which a resumed group finds it again. */
  readonly id: string
  /** Distinguishes it from others of its step. */
  readonly key: string
  /** The name of its scope. */
  readonly name: string
  readonly context: ChildContext
  /** The task whose conversation it begins with; `null`: the one that the group was given. */
  readonly forkOf: string | null
  /** They override those of its agent; weakest first, including its share of the pool. */
  readonly limits: readonly ParsedLimits[]
  readonly worktree: boolean
}

/** A step with everything filled in. */
export interface StepPlan {
  readonly format: 'stint-step/1'
  /** From 0. */
  readonly step: number
  readonly children: readonly PlannedChild[]
  /** The items of a fan-out, in the order of its children. */
  readonly items: readonly unknown[] | null
  readonly concurrency: number
  readonly failFast: boolean
}
