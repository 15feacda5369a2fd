import { codeOf, messageOf } from '../../core/checks/thrown.ts'
import type { Clock } from '../../core/index.ts'

/** Why a log cannot be written. */
export interface SinkProblem {
  readonly file: string
  /** The whole problem in one sentence. */
  readonly message: string
  /** The system's error code, e.g. `ENOSPC`; `null` if there is none. */
  readonly code: string | null
  /** Lines that are waiting to be written. */
  readonly queued: number
  /** Lines lost since the start. */
  readonly lost: number
}

export interface ProblemReporterOptions {
  readonly file: string
  readonly clock: Clock
  readonly onProblem: ((problem: SinkProblem) => void) | undefined
}

const QUIET_MS = 60_000

/** Reports at most one problem a minute. Never throws. */
export function createProblemReporter({ file, clock, onProblem = warnProcess }: ProblemReporterOptions) {
  let quietUntilMs = Number.NEGATIVE_INFINITY
  return (error: unknown, { queued, lost }: { readonly queued: number; readonly lost: number }): void => {
    if (clock.monotonicMs() < quietUntilMs) return
    quietUntilMs = clock.monotonicMs() + QUIET_MS
    const code = codeOf(error)
    const reason = messageOf(error)
    const message = `The event log ${file} cannot be written (${reason}): ${queued} lines queued, ${lost} lost.`
    try {
      onProblem({ file, message, code, queued, lost })
    } catch {
      // A failing `onProblem` must not break the run.
    }
  }
}

function warnProcess({ message }: SinkProblem): void {
  process.emitWarning(message, 'StintWarning')
}
