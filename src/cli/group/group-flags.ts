import type { LimitFlags } from '../flags/layers-from-flags.ts'

/** The flags of everything that runs several agents. */
export interface GroupFlags extends LimitFlags {
  readonly concurrency?: string
  readonly share?: readonly string[]
  readonly model?: string
  readonly baseUrl?: string
  readonly name?: string
  readonly within?: string
  readonly team?: string
  readonly user?: string
  readonly wrapUp: boolean
  readonly background?: boolean
  readonly id?: string
}

/** The flags of `stint parallel`. */
export interface ParallelFlags extends GroupFlags {
  readonly count?: string
  readonly failFast?: boolean
  readonly worktree?: boolean
}
