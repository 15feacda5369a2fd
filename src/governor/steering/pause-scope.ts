import type { Breaches, HoldAsk, ResumeOutcome } from '../../core/index.ts'
import { tellsOwnDeeds } from '../events/tell.ts'
import { apply } from '../scope/apply-fact.ts'
import { CLAIMED } from '../scope/lifecycle.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { activeMsOf, isLiving, pathIds, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { NotPausedError } from './not-paused-error.ts'
import type { Pause } from './pause.ts'
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
 * Pauses a scope: at once its clocks and those below it stand and nothing new is admitted, and what is in flight
 * finishes. Its hold is given back, unless it only waits for an answer. A second pause adds its conversation to the
 * first. It is in the store when this resolves, and survives this process.
 */
export async function pauseScope(runtime: ScopeRuntime, request: PauseRequest): Promise<void> {
  const { clock, line, store } = runtime.context
  const { breaches = null, request: requestId = null, reason, by = null } = request
  // It stands until then. As a part of the pause that is being lifted, this one would be lifted too. After one resume
  // the next may be under way that waited for it.
  while (runtime.steering.resuming !== null) await runtime.steering.resuming
  if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
  const conversation = request.conversation ?? conversationNow(runtime)
  const document = documentFrom(conversation)
  runtime.steering.owedResume = null
  pauseHere(runtime, { ...request, conversation }, tellsOwnDeeds(runtime))
  const kept = { ...(document === undefined ? {} : { document }), ...activeMsOf(runtime) }
  const record = { scopeId: runtime.id, reason, breaches, requestId, by, ...kept, atMs: clock.wallMs() }
  const outcome = await steer(runtime, () => store.pause(record))
  if (outcome.kind === 'closed') throw new ScopeClosedError(runtime.id)
  // A question keeps the hold.
  if (requestId === null) line.wake(pathIds(runtime))
}

/** What its loop says that it needs; nothing where that cannot be kept, since a pause is never refused for it. */
function conversationNow({ readConversation }: ScopeRuntime): unknown {
  try {
    const conversation = readConversation?.() ?? null
    documentFrom(conversation)
    return conversation
  } catch {
    return null
  }
}

/** What a pause does in this process. */
export function pauseHere(runtime: ScopeRuntime, request: PauseRequest, isTold: boolean): void {
  const { breaches = null, request: asking = null, conversation = null, loopEnds = false, reason } = request
  const sinceMs = runtime.context.clock.monotonicMs()
  const pause = { breaches, reason, request: asking, sinceMs, loopEnds, conversation }
  apply(runtime, { kind: 'paused', pause, isTold })
}

/** Lets a paused scope of ours go on, exactly once for each pause; returns what was saved. */
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
      // Somebody has declared us dead: it goes on if it can be adopted again.
      await takeNewHolder(context, runtime.life.owner ?? context.holder)
      if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
      outcome = await steer(runtime, () => store.resume(request))
    }
  } finally {
    // Before it goes on here: its clocks may pause it anew at once.
    runtime.steering.resuming = null
  }
  if (outcome.kind === 'no-owner') throw new NotPausedError(runtime.id, runtime.life.status)
  if (outcome.kind === 'not-paused') {
    // Whoever else resumed it has it now; unless the store has never heard of the pause.
    const isUnheard = outcome.status === 'running' && outcome.owner === context.holder && runtime.life.pause === pause
    if (!isUnheard) throw new NotPausedError(runtime.id, outcome.status)
  }
  apply(runtime, { kind: 'resumed', isLifted: false, isTold: tellsOwnDeeds(runtime), by })
  return pause.conversation ?? (outcome.kind === 'resumed' ? conversationFrom(outcome.document) : null)
}

/** A raise has let it go on already: the first who resumes it then is not refused for that. */
function claimLifted(runtime: ScopeRuntime): unknown {
  const { lifted, status } = runtime.life
  if (lifted === null) throw new NotPausedError(runtime.id, status)
  apply(runtime, CLAIMED)
  return lifted.conversation
}

/** Lets a scope go on because what had paused it is over. A store that cannot be reached now is told later. */
export async function goOnScope(runtime: ScopeRuntime, by: string | null): Promise<void> {
  const { clock, debts } = runtime.context
  const owed = { scopeId: runtime.id, by, ...holdOf(runtime), atMs: clock.wallMs() }
  apply(runtime, { kind: 'resumed', isLifted: true, isTold: tellsOwnDeeds(runtime), by })
  runtime.steering.owedResume = owed
  await debts.attempt(() => payResume(runtime))
}

/** Tells the store that a scope goes on, where it does not know it yet. Owed until it has said yes. */
export function payResume(runtime: ScopeRuntime): Promise<void> {
  // What is owed now: a later resume has its own place, behind the pause that it lifted.
  const { steering } = runtime
  const { owedResume } = steering
  return steer(runtime, async () => {
    // Paused again before it could be told: then there is nothing to tell.
    if (owedResume === null || steering.owedResume !== owedResume) return
    await runtime.context.store.resume(owedResume)
    // What somebody read before this may still say that it is paused.
    apply(runtime, { kind: 'steered' })
    if (steering.owedResume === owedResume) steering.owedResume = null
  })
}

/** Lets a scope go on that somebody else has resumed. Its hold is there again before anything is admitted. */
export async function followResume(runtime: ScopeRuntime, by: string | null): Promise<void> {
  const { clock, store } = runtime.context
  const { moves } = runtime.life
  const { hold } = holdOf(runtime)
  if (hold !== undefined) await store.hold({ scopeId: runtime.id, ask: hold, atMs: clock.wallMs() })
  const { life } = runtime
  if (life.moves === moves) apply(runtime, { kind: 'resumed', isLifted: false, isTold: life.isOwned, by })
}

/** A hold that was given back with the pause is taken anew. */
function holdOf({ closing, life }: ScopeRuntime): { readonly hold?: HoldAsk } {
  const { holdAsk } = closing
  return holdAsk !== null && life.pause?.request === null ? { hold: holdAsk } : {}
}
