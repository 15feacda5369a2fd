import { type Breaches, type EndStatus, InvalidOptionError } from '../core/index.ts'
import { callWrapUp } from './calls/call-model.ts'
import type { CallOutcome, ModelAnswer, ModelCallSpec, ModelGrant, Scope } from './governor.ts'
import { endScopeAs } from './scope/end-scope.ts'
import { runtimeBehind } from './scope/scope-handle.ts'
import type { ScopeRuntime } from './scope/scope-runtime.ts'

/** How near its end a scope is, for an edge that must end something of its own with it: a process, a connection. */
export interface ScopeEnd {
  /** The limits that halted it: nothing more is let in but a closing call. `null` while it may go on. */
  readonly breaches: Breaches | null
  /** The limits that paused it; `null` while it is not paused, or if a person did. */
  readonly pausedBy: Breaches | null
  /** Why it is paused, or has ended, in words; `null` while it may go on. */
  readonly reason: string | null
  /** Aborted when nothing may go on, not even a closing call. */
  readonly signal: AbortSignal
}

/** How the end of a scope stands now. */
export function endOf(scope: Scope): ScopeEnd {
  const { halt, pause, endReason, controller } = runtimeOf(scope, 'endOf(scope)')
  const reason = pause?.reason ?? endReason
  return { breaches: halt, pausedBy: pause?.breaches ?? null, reason, signal: controller.signal }
}

/**
 * Ends a scope as its edge has judged, which knows more than the ledger: a clean answer that arrived at the boundary is a
 * completed run, whatever a limit has refused beside it.
 */
export async function endAs(scope: Scope, status: EndStatus, reason: string): Promise<void> {
  await endScopeAs(runtimeOf(scope, 'endAs(scope)'), status, reason)
}

/**
 * A second closing call, after the first was answered with nothing or was cut: paid from what that left unspent and
 * others do not hold, and refused where it does not fit.
 */
export async function repeatWrapUp<Value>(
  scope: Scope,
  spec: ModelCallSpec,
  run: (grant: ModelGrant) => Promise<ModelAnswer<Value>>,
): Promise<CallOutcome<Value>> {
  return callWrapUp(runtimeOf(scope, 'repeatWrapUp(scope)'), spec, run, { again: true })
}

/** Whether a scope is a part of a run that another process runs, behind whose gateway its requests then go. */
export function isWithinAnother(scope: Scope): boolean {
  const { rootToSelf } = runtimeOf(scope, 'isWithinAnother(scope)')
  return rootToSelf.some(({ kind, isOwned }) => kind !== 'lasting' && !isOwned)
}

/** Something happened that `idleTime` takes for work, though it is no call: a line of output, a sign of life. */
export function touchScope(scope: Scope): void {
  runtimeOf(scope, 'touchScope(scope)').clocks.touch()
}

function runtimeOf(scope: Scope, place: string): ScopeRuntime {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError(place, scope, 'a scope of a governor')
  return runtime
}
