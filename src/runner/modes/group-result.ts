import { type Breach, isPlainObject, type Meter } from '../../core/index.ts'
import type { MeterUsage } from '../../governor/index.ts'
import type { RunArtifacts, RunStatus } from '../run/end/run-result.ts'

/** What became of one agent of a group. One that never began has its reason as its `error`. */
export interface ChildResult {
  readonly id: string
  readonly agent: string
  readonly task: string
  /** The step of the chain, from 1. */
  readonly step: number
  /** What tells it from the others of its step. */
  readonly key: string
  readonly label: string | null
  readonly phase: string | null
  /** The name of its output. */
  readonly as: string | null
  /** `queued`: it has not begun, and the group stands. */
  readonly status: RunStatus | 'queued'
  readonly output: string | null
  /** The answer as the value that `outputSchema` asks for. */
  readonly structured?: unknown
  readonly partialOutput: string | null
  readonly breach: Breach | null
  readonly error: string | null
  readonly timedOut: boolean
  /** `null` where it never began. */
  readonly usage: Readonly<Record<Meter, MeterUsage>> | null
  readonly model: string | null
  readonly durationMs: number
  /** `null` where it never began. */
  readonly artifacts: RunArtifacts | null
  readonly warnings: readonly string[]
  /** What it changed in its worktree: a patch for `git apply`, and a summary. */
  readonly changes?: { readonly patch: string; readonly summary: string }
}

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
  readonly warnings: readonly string[]
}

/** Whether a file holds what became of a group: only Stint writes it, so its first fields tell. */
export function isGroupResult(value: unknown): value is GroupResult {
  return isPlainObject(value) && typeof value.status === 'string' && Array.isArray(value.results)
}
