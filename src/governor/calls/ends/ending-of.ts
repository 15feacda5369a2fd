import type { CallEnding } from '../../../core/index.ts'
import type { RunEnd } from './run-with-signal.ts'

/** How a call that was sent ended, for the records. */
export function endingOf(end: RunEnd<unknown>, isCut = false): CallEnding {
  if (end.kind === 'done') return isCut ? 'cut' : 'answered'
  if (end.kind === 'not-run') return 'unsent'
  return end.kind === 'failed' && !end.wasStopped ? 'failed' : 'stopped'
}
