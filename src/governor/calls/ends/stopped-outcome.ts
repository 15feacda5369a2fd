import type { StoppedCall } from '../../call.ts'
import { changeLifecycle } from '../../scope/change-lifecycle.ts'
import type { ScopeRuntime } from '../../scope/scope-runtime.ts'
import type { RunEnd } from './run-with-signal.ts'

/**
 * The outcome of a call that did not finish: stopped by a limit, a person or its own timeout, or abandoned. The call's
 * own error is rethrown. An error thrown because it was asked to stop is not, so that no loop mistakes the stop for a
 * failure; if there is more to it, the outcome carries it.
 */
export function stoppedOutcome(
  runtime: ScopeRuntime,
  end: Exclude<RunEnd<unknown>, { kind: 'done' }>,
  changes: boolean,
): StoppedCall {
  if (end.kind === 'failed' && !end.wasStopped) throw end.error
  const halt = runtime.rootToSelf.find(({ life }) => life.halt !== null)?.life.halt ?? null
  if (halt !== null) changeLifecycle(runtime, { kind: 'stopped', breaches: halt })
  const by = halt?.[0] ?? null
  const mayBeHalfDone = changes && end.kind !== 'not-run'
  const error = end.kind === 'failed' && !end.isStopItself ? end.error : null
  return { kind: 'stopped', abandoned: end.kind === 'abandoned', mayBeHalfDone, by, error }
}
