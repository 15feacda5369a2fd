import type { Breach, Meter, Status } from '../../core/index.ts'
import type { MeterUsage } from '../../governor/index.ts'

/** A limit that was written in pi's words, and ended the run. */
export interface ResourceLimitExceeded {
  readonly kind: 'maxExecutionTimeMs' | 'maxTokens'
  readonly limit: number
  /** What had been used by then; `null` where nobody knows. */
  readonly observed: number | null
  readonly message: string
}

/** One model that was tried. A limit is no failure of a model, and no other is tried after it. */
export interface RunAttempt {
  readonly model: string
  readonly status: 'answered' | 'failed'
  readonly error: string | null
}

/** Where the files of a run are. */
export interface RunArtifacts {
  readonly folder: string
  readonly input: string
  /** `null` while there is no answer. */
  readonly output: string | null
  readonly transcript: string
  readonly meta: string
}

export type RunStatus = Extract<Status, 'completed' | 'limit-reached' | 'timed-out' | 'paused' | 'stopped' | 'failed'>

/** What became of a run: the same on disk, in `--json` and from the library. */
export interface RunResult {
  readonly id: string
  readonly agent: string
  /** The names of the scopes from the root down. */
  readonly path: string
  readonly status: RunStatus
  /** The answer of a completed run; with `outputMode: file-only`, where it is. */
  readonly output: string | null
  /** What a run that did not complete has to show. */
  readonly partialOutput: string | null
  readonly breach: Breach | null
  readonly timedOut: boolean
  /** Why it did not complete, on one line. */
  readonly error: string | null
  readonly resourceLimitExceeded?: ResourceLimitExceeded
  readonly usage: Readonly<Record<Meter, MeterUsage>>
  /** The model that answered last; `null` where none was reached. */
  readonly model: string | null
  readonly attempts: readonly RunAttempt[]
  readonly durationMs: number
  /** A tool that changes things was stopped, perhaps half way. */
  readonly mayBeHalfDone: boolean
  readonly children: readonly RunResult[]
  readonly artifacts: RunArtifacts
  /** Where a paused run is resumed; `null` for every other. */
  readonly resumeUrl: string | null
  readonly warnings: readonly string[]
}
