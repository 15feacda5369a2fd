import type { Clock } from '../../core/index.ts'

/** Why a log cannot be written. */
export interface SinkProblem {
  readonly file: string
  /** Says all of this to a person. */
  readonly message: string
  /** The system's word for it, e.g. `ENOSPC`; `null` if it has none. */
  readonly code: string | null
  /** Lines that wait for a better time. */
  readonly queued: number
  /** Lines that are lost since the start. */
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
    const { code, message: reason } = error as NodeJS.ErrnoException
    const message = `The event log ${file} cannot be written (${reason}): ${queued} lines wait, ${lost} are lost.`
    try {
      onProblem({ file, message, code: code ?? null, queued, lost })
    } catch {
      // Whoever is told of a broken log must not break what it logs.
    }
  }
}

function warnProcess({ message }: SinkProblem): void {
  process.emitWarning(message, 'StintWarning')
}
