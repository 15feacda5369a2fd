import type { StoppedCall } from './governor.ts'
import type { RunEnd } from './run-with-signal.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * What a call has come to that did not come to its end: stopped by a limit, or given up. What it threw by itself is
 * thrown; that a limit stopped it is a value, so that no loop takes it for the call's own error.
 */
export function stoppedOutcome(
  runtime: ScopeRuntime,
  end: Exclude<RunEnd<unknown>, { kind: 'done' }>,
  changes: boolean,
): StoppedCall {
  const halt = runtime.rootToSelf.find((scope) => scope.halt !== null)?.halt ?? null
  const breach = halt?.[0] ?? null
  const abandoned = end.kind === 'abandoned'
  if (end.kind === 'failed' && !(end.wasStopped && breach !== null)) throw end.error
  runtime.stoppedBy ??= halt
  return { granted: true, stopped: true, abandoned, unsafeBoundary: changes, breach }
}
