import { type Breach, isPlainObject, type Meter, type Status } from '../../../core/index.ts'
import type { MeterUsage } from '../../../governor/index.ts'
import type { AcceptanceResult } from '../../acceptance/acceptance-result.ts'

/** A limit in pi's terms that ended the run. */
export interface ResourceLimitExceeded {
  readonly kind: 'maxExecutionTimeMs' | 'maxTokens'
  readonly limit: number
  /** What had been used by then; `null` if unknown. */
  readonly observed: number | null
  readonly message: string
}

/** One model that was tried. Reaching a limit is not a failure of the model, and no other is tried after it. */
export interface RunAttempt {
  readonly model: string
  readonly status: 'answered' | 'failed'
  readonly error: string | null
}

/** The files of a run. */
export interface RunArtifacts {
  readonly folder: string
  readonly input: string
  /** `null` while there is no answer. */
  readonly output: string | null
  readonly transcript: string
  readonly meta: string
}

export type RunStatus = Extract<Status, 'completed' | 'limit-reached' | 'timed-out' | 'paused' | 'stopped' | 'failed'>

/** The result of one agent of a group. If it never started, `error` is the reason. */
export interface ChildResult {
  readonly id: string
  readonly agent: string
  readonly task: string
  /** The step of the chain, from 1. */
  readonly step: number
  /** Distinguishes it from others of its step. */
  readonly key: string
  readonly label: string | null
  readonly phase: string | null
  /** The name of its output. */
  readonly as: string | null
  /** `queued`: it has not started, and the group is paused. */
  readonly status: RunStatus | 'queued'
  readonly output: string | null
  /** The answer as a value that matches `outputSchema`. */
  readonly structured?: unknown
  readonly partialOutput: string | null
  readonly breach: Breach | null
  readonly error: string | null
  readonly timedOut: boolean
  /** `null` if it never started. */
  readonly usage: Readonly<Record<Meter, MeterUsage>> | null
  readonly model: string | null
  readonly durationMs: number
  /** `null` if it never started. */
  readonly artifacts: RunArtifacts | null
  readonly warnings: readonly string[]
  /** The outcome of its contract, if it has one. */
  readonly acceptance?: AcceptanceResult
  /** What it changed in its worktree: a patch for `git apply`, and a summary. */
  readonly changes?: { readonly patch: string; readonly summary: string }
}

/** The result of a run: the same on disk, in `--json` and from the library. */
export interface RunResult {
  readonly id: string
  readonly agent: string
  /** The names of the scopes from the root down. */
  readonly path: string
  readonly status: RunStatus
  /** The answer of a completed run; with `outputMode: file-only`, the path of its file. */
  readonly output: string | null
  /** The answer as a value that matches `outputSchema`. */
  readonly structured?: unknown
  /** The last output of a run that did not complete. */
  readonly partialOutput: string | null
  readonly breach: Breach | null
  readonly timedOut: boolean
  /** Why it did not complete, on one line. */
  readonly error: string | null
  /** The outcome of its contract, if it has one. A rejected run has failed. */
  readonly acceptance?: AcceptanceResult
  readonly resourceLimitExceeded?: ResourceLimitExceeded
  readonly usage: Readonly<Record<Meter, MeterUsage>>
  /** The model that answered last; `null` if none did. */
  readonly model: string | null
  readonly attempts: readonly RunAttempt[]
  readonly durationMs: number
  /** A tool that changes things was stopped, perhaps halfway. */
  readonly mayBeHalfDone: boolean
  /** The agents that it started. */
  readonly children: readonly ChildResult[]
  readonly artifacts: RunArtifacts
  /** Where a paused run is resumed; `null` for every other. */
  readonly resumeUrl: string | null
  /** The request that a paused run waits for (`stint approve`); `null` if it waits for none. */
  readonly request: string | null
  readonly warnings: readonly string[]
}

/** Whether a file is a run result. Only Stint writes it, so checking the first fields is enough. */
export function isRunResult(value: unknown): value is RunResult {
  return isPlainObject(value) && typeof value.status === 'string'
}
