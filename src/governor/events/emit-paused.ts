import { type Breaches, limitEventFromBreach, progressFields } from '../../core/index.ts'
import { type ScopeRuntime, subjectOf } from '../scope/scope-runtime.ts'
import { headerFor } from './emit.ts'

/** Emits that a scope is paused, by which limit or person, and where to resume it. */
export function emitPaused(runtime: ScopeRuntime, breaches: Breaches | null, reason: string): void {
  const { hub, clock } = runtime.context
  const url = { reason, resume_url: resumeUrl(runtime) }
  const subject = subjectOf(runtime)
  if (breaches === null) {
    hub.emit({ ...headerFor(runtime, 'agent_paused'), ...progressFields(subject), ...url })
    return
  }
  const moment = { event: 'agent_paused', atMs: clock.wallMs() } as const
  hub.emit({ ...limitEventFromBreach(moment, subject, breaches[0]), ...url })
}

/** Emits that a scope resumed, and how long it was paused. */
export function emitResumed(runtime: ScopeRuntime, by: string | null, pausedMs: number): void {
  const progress = progressFields(subjectOf(runtime))
  runtime.context.hub.emit({ ...headerFor(runtime, 'agent_resumed'), ...progress, by, paused_ms: pausedMs })
}

/** Where a paused scope is resumed. */
function resumeUrl(runtime: ScopeRuntime): string {
  return `/tasks/${encodeURIComponent(runtime.taskId ?? runtime.id)}/resume`
}
