import {
  type Breach,
  type EventDraft,
  eventHeader,
  type LimitCrossing,
  limitEventFromBreach,
  limitEventsFromCrossing,
} from '../../core/index.ts'
import { type ScopeRuntime, subjectOf } from '../scope/scope-runtime.ts'

/** Emits the thresholds that a settlement, a spawn or a clock has passed, as events of the scope that has the limit. */
export function emitCrossings(runtime: ScopeRuntime, crossings: readonly LimitCrossing[]): void {
  const { hub, clock } = runtime.context
  for (const passed of crossings) {
    const subject = subjectOf(ownerOf(runtime, passed.scopeId))
    for (const draft of limitEventsFromCrossing(clock.wallMs(), subject, passed)) hub.emit(draft)
  }
}

/** Emits that a request exceeded limits. */
export function emitExceeded(runtime: ScopeRuntime, breaches: readonly Breach[]): void {
  const { hub, clock } = runtime.context
  for (const breach of breaches) {
    const subject = subjectOf(ownerOf(runtime, breach.scope))
    hub.emit(limitEventFromBreach({ event: 'limit_exceeded', atMs: clock.wallMs() }, subject, breach))
  }
}

/** The common fields of an event about a scope. */
export function headerFor<Name extends EventDraft['event']>(runtime: ScopeRuntime, event: Name) {
  return eventHeader({ event, atMs: runtime.context.clock.wallMs() }, subjectOf(runtime), runtime)
}

/** The scope on the path that has the limit. */
export function ownerOf(runtime: ScopeRuntime, scopeId: string): ScopeRuntime {
  return runtime.rootToSelf.find(({ id }) => id === scopeId) ?? runtime
}

/**
 * Whether a change made here is also reported here, so that each is reported once over all processes. The process that
 * runs a scope reports its changes, which it learns of soon. Changes to a lasting scope, or to a run whose process
 * died, are reported by the process that makes them.
 */
export function reportsOwnChanges({ context, life }: ScopeRuntime): boolean {
  const { isOwned, owner } = life
  return isOwned || owner === null || context.isHolderAlive(owner) === false
}
