import type { Breaches, HoldAsk, ResumeOutcome } from '../../core/index.ts'
import { reportsOwnChanges } from '../events/emit.ts'
import { changeLifecycle } from '../scope/change-lifecycle.ts'
import { CLAIMED } from '../scope/lifecycle.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { activeMsOf, isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { NotPausedError } from './not-paused-error.ts'
import { isUnattended, type Pause } from './pause.ts'
import { steer } from './steer.ts'
import { conversationFrom, documentFrom } from './stored-document.ts'
import { takeNewHolder } from './take-new-holder.ts'

interface PauseRequest {
  readonly breaches?: Breaches | null
  readonly request?: string | null
  readonly conversation?: unknown
  readonly loopEnds?: boolean
  readonly reason: string
  readonly by?: string | null
}

/**
 * Pauses a scope: its clocks and those below it stop immediately, nothing new is admitted, and what is in flight
 * finishes. Its hold is released, unless it only waits for an answer. A second pause adds its conversation to the
 * first. When this resolves, the pause is in the store and survives this process.
 */
export async function pauseScope(runtime: ScopeRuntime, request: PauseRequest): Promise<void> {
  const { clock, line, store } = runtime.context
  const { by = null } = request
  // It is paused until then. If this pause joined the one being lifted, it would be lifted too. After one resume,
  // another that waited for it may be in progress.
  while (runtime.steering.resuming !== null) await runtime.steering.resuming
  if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
  const conversation = request.conversation ?? conversationNow(runtime)
  const document = documentFrom(conversation)
  runtime.steering.owedResume = null
  const { pause: first } = runtime.life
  // A loop that ends with an open question leaves it open.
  const asks = first !== null && isUnattended(first) ? first : request
  const { breaches = null, request: requestId = null, reason } = asks
  pauseHere(runtime, { ...request, conversation }, reportsOwnChanges(runtime))
  const kept = { ...(document === undefined ? {} : { document }), ...activeMsOf(runtime) }
  const record = { scopeId: runtime.id, reason, breaches, requestId, by, ...kept, atMs: clock.wallMs() }
  const outcome = await steer(runtime, () => store.pause(record))
  if (outcome.kind === 'closed') throw new ScopeClosedError(runtime.id)
  // A pause for a request keeps the hold.
  if (requestId === null) line.wake(runtime.pathIds)
}

/** What its loop needs to continue; nothing if that cannot be stored, since a pause is never refused for it. */
function conversationNow({ readConversation }: ScopeRuntime): unknown {
  try {
    const conversation = readConversation?.() ?? null
    documentFrom(conversation)
    return conversation
  } catch {
    return null
  }
}

/** Applies a pause in this process. */
export function pauseHere(runtime: ScopeRuntime, request: PauseRequest, isReported: boolean): void {
  const { breaches = null, request: asking = null, conversation = null, loopEnds = false, reason } = request
  const sinceMs = runtime.context.clock.monotonicMs()
  const pause = { breaches, reason, request: asking, sinceMs, loopEnds, conversation }
  changeLifecycle(runtime, { kind: 'paused', pause, isReported: isReported })
}

/** Resumes a paused scope of ours, exactly once per pause; returns what was saved. */
export async function resumeScope(runtime: ScopeRuntime, by: string | null): Promise<unknown> {
  while (runtime.steering.resuming !== null) await runtime.steering.resuming
  if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
  const { pause } = runtime.life
  if (pause === null) return claimLifted(runtime)
  const lifted = liftPause(runtime, pause, by)
  runtime.steering.resuming = Promise.allSettled([lifted])
  return lifted
}

async function liftPause(runtime: ScopeRuntime, pause: Pause, by: string | null): Promise<unknown> {
  const { context } = runtime
  const { clock, store } = context
  const request = { scopeId: runtime.id, by, ...holdOf(runtime), atMs: clock.wallMs() }
  let outcome: ResumeOutcome
  try {
    outcome = await steer(runtime, () => store.resume(request))
    if (outcome.kind === 'no-owner') {
      // Another process declared us dead: the scope continues if it can be adopted again.
      await takeNewHolder(context, runtime.life.owner ?? context.holder)
      if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
      outcome = await steer(runtime, () => store.resume(request))
    }
  } finally {
    // Before it continues here: its clocks may pause it again immediately.
    runtime.steering.resuming = null
  }
  if (outcome.kind === 'no-owner') throw new NotPausedError(runtime.id, runtime.life.status)
  if (outcome.kind === 'not-paused') {
    // Another process resumed it and has it now, unless the store never received the pause.
    const isUnheard = outcome.status === 'running' && outcome.owner === context.holder && runtime.life.pause === pause
    if (!isUnheard) throw new NotPausedError(runtime.id, outcome.status)
  }
  changeLifecycle(runtime, { kind: 'resumed', isLifted: false, isTold: reportsOwnChanges(runtime), by })
  return pause.conversation ?? (outcome.kind === 'resumed' ? conversationFrom(outcome.document) : null)
}

/** A raise has already let it continue: the first resume after that is not refused. */
function claimLifted(runtime: ScopeRuntime): unknown {
  const { lifted, status } = runtime.life
  if (lifted === null) throw new NotPausedError(runtime.id, status)
  changeLifecycle(runtime, CLAIMED)
  return lifted.conversation
}

/** Resumes a scope because what paused it is over. If the store cannot be reached, it is written later. */
export async function goOnScope(runtime: ScopeRuntime, by: string | null): Promise<void> {
  const { clock, pendingWrites } = runtime.context
  const owed = { scopeId: runtime.id, by, ...holdOf(runtime), atMs: clock.wallMs() }
  changeLifecycle(runtime, { kind: 'resumed', isLifted: true, isTold: reportsOwnChanges(runtime), by })
  runtime.steering.owedResume = owed
  await pendingWrites.attempt(() => payResume(runtime))
}

/** Writes to the store that a scope continues, if that is still owed. Retried until the store accepts it. */
export function payResume(runtime: ScopeRuntime): Promise<void> {
  // Only what is owed now: a later resume is queued separately, after the pause it lifts.
  const { steering } = runtime
  const { owedResume } = steering
  return steer(runtime, async () => {
    // Paused again before this was written: then there is nothing to write.
    if (owedResume === null || steering.owedResume !== owedResume) return
    await runtime.context.store.resume(owedResume)
    // Readings from before this may still say that it is paused.
    changeLifecycle(runtime, { kind: 'steered' })
    if (steering.owedResume === owedResume) steering.owedResume = null
  })
}

/** Applies a resume by another process. The hold is taken again before anything is admitted. */
export async function followResume(runtime: ScopeRuntime, by: string | null): Promise<void> {
  const { clock, store } = runtime.context
  const { moves } = runtime.life
  const { hold } = holdOf(runtime)
  if (hold !== undefined) await store.hold({ scopeId: runtime.id, ask: hold, atMs: clock.wallMs() })
  const { life } = runtime
  if (life.moves === moves) changeLifecycle(runtime, { kind: 'resumed', isLifted: false, isTold: life.isOwned, by })
}

/** The hold that was released with the pause, to be taken again. */
function holdOf({ closing, life }: ScopeRuntime): { readonly hold?: HoldAsk } {
  const { holdAsk } = closing
  return holdAsk !== null && life.pause?.request === null ? { hold: holdAsk } : {}
}
