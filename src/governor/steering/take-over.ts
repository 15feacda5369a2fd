import { isEnded, type PauseRecord, type ScopeReading } from '../../core/index.ts'
import { emitResumed } from '../events/emit-paused.ts'
import { changeLifecycle } from '../scope/change-lifecycle.ts'
import { makeOwned } from '../scope/open/create-runtime.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { followLimits } from './apply-limits.ts'
import { assumeHolder } from './assume-holder.ts'
import { NotPausedError } from './not-paused-error.ts'
import { steer } from './steer.ts'
import { conversationFrom } from './stored-document.ts'
import { underLivingHolder } from './take-new-holder.ts'

/**
 * Takes over a scope that another process has paused, or left behind when it died. Returns what was saved, to exactly
 * one of all callers.
 */
export async function takeOver(runtime: ScopeRuntime, by: string | null): Promise<unknown> {
  const { context } = runtime
  const { clock, store } = context
  if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
  const reading = await readOpen(runtime)
  const outcome = await underLivingHolder(context, () => {
    if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
    return steer(runtime, () => store.resume({ scopeId: runtime.id, owner: context.holder, by, atMs: clock.wallMs() }))
  })
  if (outcome.kind === 'no-owner') throw new NotPausedError(runtime.id, reading.status)
  if (outcome.kind === 'not-paused') throw new NotPausedError(runtime.id, outcome.status)
  // Before its clocks run: its limits may have been raised since it was found.
  await followLimits(runtime, reading, by, false)
  if (!isLiving(runtime)) return giveBack(runtime, outcome.pause)
  changeLifecycle(runtime, { kind: 'resumed', isLifted: false, isTold: false, by })
  makeOwned(runtime, { totals: reading.totals, activeMs: outcome.activeMs })
  const pausedMs = outcome.pause === null ? 0 : Math.max(0, clock.wallMs() - outcome.pause.atMs)
  emitResumed(runtime, by, pausedMs)
  return conversationFrom(outcome.document)
}

/** It ended meanwhile, or a scope above moved to another process and took it along: then it can be resumed there. */
async function giveBack({ context, id: scopeId }: ScopeRuntime, pause: PauseRecord | null): Promise<never> {
  const { clock, pendingWrites, store } = context
  const reason = pause?.reason ?? 'left behind'
  await pendingWrites.attempt(() => store.pause({ ...pause, scopeId, reason, atMs: clock.wallMs() }))
  throw new ScopeClosedError(scopeId)
}

/** Its current state, after charging what its owner left open, if that is dead. */
async function readOpen(runtime: ScopeRuntime): Promise<ScopeReading> {
  const { context } = runtime
  const { holder, isHolderAlive } = context
  const reading = await read(runtime)
  const { owner } = reading
  if (owner === null || owner === holder || isHolderAlive(owner) !== false) return reading
  await assumeHolder(context, { holder: owner })
  return read(runtime)
}

async function read({ context, id }: ScopeRuntime): Promise<ScopeReading> {
  const { clock, store } = context
  const reading = (await store.read({ scopeId: id, atMs: clock.wallMs() }))?.at(-1)
  if (reading === undefined || isEnded(reading.status)) throw new ScopeClosedError(id)
  return reading
}
