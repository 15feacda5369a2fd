import {
  type Breach,
  type EventDraft,
  eventHeader,
  type LimitCrossing,
  limitEventFromBreach,
  limitEventFromCrossing,
} from '../../core/index.ts'
import { type ScopeRuntime, subjectOf } from '../scope/scope-runtime.ts'

/** Tells what a settlement, a spawn or a clock has passed, as facts about the scope whose limit it is. */
export function tellCrossings(runtime: ScopeRuntime, crossings: readonly LimitCrossing[]): void {
  const { hub, clock } = runtime.context
  for (const passed of crossings) {
    const subject = subjectOf(ownerOf(runtime, passed.scopeId))
    const atMs = clock.wallMs()
    const { crossing, limit } = passed
    if (crossing.kind === 'nearing') hub.emit(limitEventFromCrossing({ event: 'limit_nearing', atMs }, subject, passed))
    if (crossing.kind === 'exceeded') {
      hub.emit(limitEventFromCrossing({ event: 'limit_exceeded', atMs }, subject, passed))
    }
    if (crossing.kind !== 'nearing' && limit.action === 'warn') {
      hub.emit(limitEventFromCrossing({ event: 'agent_warning', atMs }, subject, passed))
    }
  }
}

/** Tells that limits were exceeded by what was asked of them. */
export function tellExceeded(runtime: ScopeRuntime, breaches: readonly Breach[]): void {
  const { hub, clock } = runtime.context
  for (const breach of breaches) {
    const subject = subjectOf(ownerOf(runtime, breach.scope))
    hub.emit(limitEventFromBreach({ event: 'limit_exceeded', atMs: clock.wallMs() }, subject, breach))
  }
}

/** The beginning of an event about a scope. */
export function headerFor<Name extends EventDraft['event']>(runtime: ScopeRuntime, event: Name) {
  return eventHeader({ event, atMs: runtime.context.clock.wallMs() }, subjectOf(runtime), runtime)
}

/** The scope on the path whose limit it is. */
export function ownerOf(runtime: ScopeRuntime, scopeId: string): ScopeRuntime {
  return runtime.rootToSelf.find(({ id }) => id === scopeId) ?? runtime
}

/**
 * Whether what is done to a scope here is told here, so that it is told once over all processes: of a run by whoever
 * runs it, who hears of it soon; of a lasting scope, and of a run whose process died, by whoever does it.
 */
export function tellsOwnDeeds({ context, life }: ScopeRuntime): boolean {
  const { isOwned, owner } = life
  return isOwned || owner === null || context.isHolderAlive(owner) === false
}
