import { type Breach, isPlainObject, type Meter } from '../../core/index.ts'
import type { MeterUsage } from '../../governor/index.ts'
import type { ChildResult, RunStatus } from '../run/end/run-result.ts'

export type { ChildResult } from '../run/end/run-result.ts'

/** Where the files of a group are. */
export interface GroupArtifacts {
  readonly folder: string
  /** The folder that its agents share: `{chain_dir}`. */
  readonly shared: string
  readonly output: string | null
  readonly meta: string
}

/** The result of a group: the same on disk, in `--json` and from the library. */
export interface GroupResult {
  readonly id: string
  readonly name: string
  readonly mode: 'parallel' | 'chain'
  /** The names of the scopes from the root down. */
  readonly path: string
  readonly status: RunStatus
  /** Counts by status: `2 completed, 1 timed-out`. */
  readonly counts: string
  /** One for each agent, in the order of the steps and tasks. */
  readonly results: readonly ChildResult[]
  /** For a parallel group, all answers, each below its header; for a chain, that of its last step. */
  readonly output: string | null
  /** The same for a group that did not complete. */
  readonly partialOutput: string | null
  readonly breach: Breach | null
  readonly timedOut: boolean
  /** Why it did not complete, on one line. */
  readonly error: string | null
  /** What the whole group has spent and has left. */
  readonly usage: Readonly<Record<Meter, MeterUsage>>
  readonly durationMs: number
  readonly artifacts: GroupArtifacts
  /** Where a paused group is resumed; `null` for every other. */
  readonly resumeUrl: string | null
  /** The request that a paused group waits for (`stint approve`); `null` if there is none. */
  readonly request: string | null
  readonly warnings: readonly string[]
}

/** Whether a file is a group result. Only Stint writes it, so checking the first fields is enough. */
export function isGroupResult(value: unknown): value is GroupResult {
  return isPlainObject(value) && typeof value.status === 'string' && Array.isArray(value.results)
}
