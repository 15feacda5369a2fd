import type { StoppedCall } from '../call.ts'
import { limitPhrase } from './reached-limit.ts'

/** The result of a tool call that was admitted and then had to stop. */
export function stoppedToolResult({ by, mayBeHalfDone }: Pick<StoppedCall, 'by' | 'mayBeHalfDone'>): string {
  const why = by === null ? 'its time was up' : `${limitPhrase(by)} was reached`
  const boundary = mayBeHalfDone
    ? ' It may have been stopped halfway (unsafe_boundary): its changes may be incomplete.'
    : ''
  return `Stopped before it finished: ${why}.${boundary}`
}
