import type { LaunchFlags } from '../flags/run-flags.ts'

/** The flags of everything that runs several agents. */
export interface GroupFlags extends LaunchFlags {
  readonly concurrency?: string
  readonly share?: readonly string[]
}

/** The flags of `stint parallel`. */
export interface ParallelFlags extends GroupFlags {
  readonly count?: string
  readonly failFast?: boolean
  readonly worktree?: boolean
  readonly acceptance?: string | false
}
