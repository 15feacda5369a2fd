import type { StoppedCall } from '../../call.ts'
import { apply } from '../../scope/apply-fact.ts'
import type { ScopeRuntime } from '../../scope/scope-runtime.ts'
import type { RunEnd } from './run-with-signal.ts'

/**
 * What a call has come to that did not come to its end: stopped by a limit, by a person or by its own time-out, or given
 * up. What it threw by itself is thrown. What it threw when it was told to stop is not, so that no loop takes the stop
 * for the call's own error; where it is more than that, the outcome has it.
 */
export function stoppedOutcome(
  runtime: ScopeRuntime,
  end: Exclude<RunEnd<unknown>, { kind: 'done' }>,
  changes: boolean,
): StoppedCall {
  if (end.kind === 'failed' && !end.wasStopped) throw end.error
  const halt = runtime.rootToSelf.find(({ life }) => life.halt !== null)?.life.halt ?? null
  if (halt !== null) apply(runtime, { kind: 'stopped', breaches: halt })
  const by = halt?.[0] ?? null
  const mayBeHalfDone = changes && end.kind !== 'not-run'
  const error = end.kind === 'failed' && !end.isStopItself ? end.error : null
  return { kind: 'stopped', abandoned: end.kind === 'abandoned', mayBeHalfDone, by, error }
}
