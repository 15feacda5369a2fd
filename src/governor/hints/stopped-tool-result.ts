import type { StoppedCall } from '../governor.ts'
import { limitPhrase } from './reached-limit.ts'

/** The result of a tool call that was let in and then had to stop. */
export function stoppedToolResult({ breach, unsafeBoundary }: Pick<StoppedCall, 'breach' | 'unsafeBoundary'>): string {
  const why = breach === null ? 'its time was over' : `${limitPhrase(breach)} was reached`
  const boundary = unsafeBoundary
    ? ' It may have been stopped half way (unsafe_boundary): what it changes may be done in part.'
    : ''
  return `Stopped before it was done: ${why}.${boundary}`
}
