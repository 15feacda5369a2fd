import { isEnded, progressFields } from '../core/index.ts'
import { assumeHolder } from './assume-holder.ts'
import { makeOwned } from './create-runtime.ts'
import { NotPausedError } from './not-paused-error.ts'
import { ScopeClosedError } from './scope-closed-error.ts'
import { type ScopeRuntime, subjectOf } from './scope-runtime.ts'
import { conversationFrom } from './stored-document.ts'
import { headerFor } from './tell.ts'

/**
 * Lets a scope go on here that another process has paused, or has left behind when it died: from now on it is ours.
 * Returns what was saved of it, to exactly one of all who try.
 */
export async function takeOver(runtime: ScopeRuntime, by: string | null): Promise<unknown> {
  const { context } = runtime
  const { clock, holder, hub, isHolderAlive, store } = context
  const reading = (await store.read({ scopeId: runtime.id, atMs: clock.wallMs() }))?.at(-1)
  if (reading === undefined || isEnded(reading.status)) throw new ScopeClosedError(runtime.id)
  const { owner } = reading
  if (owner !== null && owner !== holder && isHolderAlive(owner) === false) await assumeHolder(context, owner)
  const outcome = await store.resume({ scopeId: runtime.id, owner: holder, by, atMs: clock.wallMs() })
  if (outcome.kind === 'no-owner') throw new NotPausedError(runtime.id, reading.status)
  if (outcome.kind === 'not-paused') throw new NotPausedError(runtime.id, outcome.status)
  runtime.pause = null
  runtime.status = 'running'
  makeOwned(runtime, outcome.activeMs)
  const pausedMs = outcome.pause === null ? 0 : Math.max(0, clock.wallMs() - outcome.pause.atMs)
  hub.emit({ ...headerFor(runtime, 'agent_resumed'), ...progressFields(subjectOf(runtime)), by, paused_ms: pausedMs })
  return conversationFrom(outcome.document)
}
