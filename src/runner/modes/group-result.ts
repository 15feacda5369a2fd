import { type Breach, isPlainObject, type Meter } from '../../core/index.ts'
import type { MeterUsage } from '../../governor/index.ts'
import type { ChildResult, RunStatus } from '../run/end/run-result.ts'

export type { ChildResult } from '../run/end/run-result.ts'

/** Where the files of a group are. */
export interface GroupArtifacts {
  readonly folder: string
  /** What its agents share: `{chain_dir}`. */
  readonly shared: string
  readonly output: string | null
  readonly meta: string
}

/** What became of a group: the same on disk, in `--json` and from the library. */
export interface GroupResult {
  readonly id: string
  readonly name: string
  readonly mode: 'parallel' | 'chain'
  /** The names of the scopes from the root down. */
  readonly path: string
  readonly status: RunStatus
  /** How many ended how: `2 completed, 1 timed-out`. */
  readonly counts: string
  /** One for each agent, in the order of the steps and tasks. */
  readonly results: readonly ChildResult[]
  /** Of a parallel group the answers of all, each below its header; of a chain that of its last step. */
  readonly output: string | null
  /** The same of a group that did not complete. */
  readonly partialOutput: string | null
  readonly breach: Breach | null
  readonly timedOut: boolean
  /** Why it did not complete, on one line. */
  readonly error: string | null
  /** What the whole group has spent, and has left. */
  readonly usage: Readonly<Record<Meter, MeterUsage>>
  readonly durationMs: number
  readonly artifacts: GroupArtifacts
  /** Where a paused group is resumed; `null` for every other. */
  readonly resumeUrl: string | null
  /** The request that a paused group waits for (`stint approve`); `null` where it waits for none. */
  readonly request: string | null
  readonly warnings: readonly string[]
}

/** Whether a file holds what became of a group: only Stint writes it, so its first fields tell. */
export function isGroupResult(value: unknown): value is GroupResult {
  return isPlainObject(value) && typeof value.status === 'string' && Array.isArray(value.results)
}
