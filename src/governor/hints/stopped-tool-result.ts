import type { StoppedCall } from '../call.ts'
import { limitPhrase } from './reached-limit.ts'

/** The result of a tool call that was admitted and then had to stop. */
export function stoppedToolResult({ by, mayBeHalfDone }: Pick<StoppedCall, 'by' | 'mayBeHalfDone'>): string {
  const why = by === null ? 'its time was over' : `${limitPhrase(by)} was reached`
  const boundary = mayBeHalfDone
    ? ' It may have been stopped half way (unsafe_boundary): what it changes may be done in part.'
    : ''
  return `Stopped before it was done: ${why}.${boundary}`
}
