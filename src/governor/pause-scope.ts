import { type Breaches, limitEventFromBreach, progressFields } from '../core/index.ts'
import { countPauseAbove, setPaused } from './activity.ts'
import { NotPausedError } from './not-paused-error.ts'
import { ScopeClosedError } from './scope-closed-error.ts'
import { pathIds, type ScopeRuntime, subjectOf } from './scope-runtime.ts'
import { headerFor } from './tell.ts'

interface PauseRequest {
  readonly breaches?: Breaches
  readonly request?: string
  readonly conversation?: unknown
  readonly reason: string
}

/**
 * Pauses a scope: at once its clocks and those below it stand and nothing new is admitted, and what is in flight
 * finishes. Its hold is given back, unless it only waits for an answer. A second pause adds its conversation to the first.
 */
export async function pauseScope(runtime: ScopeRuntime, request: PauseRequest): Promise<void> {
  const { clock, living } = runtime.context
  const { breaches = null, request: asking = null, conversation = null, reason } = request
  if (!living.has(runtime.id)) throw new ScopeClosedError(runtime.id)
  if (runtime.pause !== null) {
    // A person's pause, or a limit's, outlasts a question that was open before it.
    const outlasts = runtime.pause.request !== null && asking === null
    const why = outlasts ? { breaches, request: null } : {}
    runtime.pause = { ...runtime.pause, ...why, conversation: conversation ?? runtime.pause.conversation }
    if (outlasts) await giveRoomBack(runtime)
    return
  }
  runtime.pause = { breaches, request: asking, sinceMs: clock.monotonicMs(), conversation }
  runtime.status = 'paused'
  setPaused(runtime.activity, true)
  countPauseBelow(runtime, 1)
  runtime.clocks.endInvocation()
  tellPaused(runtime, breaches, reason)
  if (asking === null) await giveRoomBack(runtime)
}

/** Those who wait are refused, and what was held back for the closing call is there for others. */
async function giveRoomBack(runtime: ScopeRuntime): Promise<void> {
  const { clock, line, store } = runtime.context
  line.recheck(runtime.id)
  if (runtime.holdAsk === null) return
  await store.hold({ scopeId: runtime.id, ask: null, atMs: clock.wallMs() })
  line.wake(pathIds(runtime))
}

function countPauseBelow({ children }: ScopeRuntime, change: 1 | -1): void {
  for (const child of children) {
    countPauseAbove(child.activity, change)
    countPauseBelow(child, change)
  }
}

/** Lets a paused scope go on, exactly once for each pause; returns what was saved. */
export async function resumeScope(runtime: ScopeRuntime, by: string | null): Promise<unknown> {
  const { pause } = runtime
  if (pause === null) throw new NotPausedError(runtime.id, runtime.status)
  const { clock, hub, store } = runtime.context
  runtime.pause = null
  runtime.status = 'running'
  if (runtime.stoppedBy === pause.breaches) runtime.stoppedBy = null
  const pausedMs = Math.floor(clock.monotonicMs() - pause.sinceMs)
  hub.emit({ ...headerFor(runtime, 'agent_resumed'), ...progressFields(subjectOf(runtime)), by, paused_ms: pausedMs })
  setPaused(runtime.activity, false)
  countPauseBelow(runtime, -1)
  runtime.clocks.beginInvocation(runtime.halt !== null)
  if (runtime.holdAsk !== null && pause.request === null) {
    await store.hold({ scopeId: runtime.id, ask: runtime.holdAsk, atMs: clock.wallMs() })
  }
  return pause.conversation
}

/** Where a paused scope is resumed. */
function resumeUrl(runtime: ScopeRuntime): string {
  return `/tasks/${encodeURIComponent(runtime.taskId ?? runtime.id)}/resume`
}

function tellPaused(runtime: ScopeRuntime, breaches: Breaches | null, reason: string): void {
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
