import {
  type Amounts,
  type Breach,
  type EndStatus,
  isCounterMeter,
  limitEventFromBreach,
  progressFields,
} from '../../core/index.ts'
import { headerFor, reportsOwnChanges } from '../events/emit.ts'
import { denyAllOf } from '../steering/answer-increase.ts'
import { changeLifecycle } from './change-lifecycle.ts'
import { endActivity } from './clocks/activity.ts'
import { abortAll } from './halt-scope.ts'
import { statusAfter } from './lifecycle.ts'
import { keepPromise } from './path/promised-needs.ts'
import { activeMsOf, type GovernorContext, isLiving, type ScopeRuntime, subjectOf } from './scope-runtime.ts'

/**
 * Ends a scope with the given status, unless a limit has ended it before. A second end changes nothing. Rethrows the
 * store's errors, but only once everything has ended here; a store that cannot be reached is updated later.
 */
export function endScope(runtime: ScopeRuntime, given: EndStatus, reason: string): Promise<void> {
  return endScopeAs(runtime, statusAfter(runtime.life, given, runtime.hasEndedWork), reason)
}

/** Ends a scope with exactly this status, everything below it first. */
export async function endScopeAs(runtime: ScopeRuntime, status: EndStatus, reason: string): Promise<void> {
  const { clock, pendingWrites, store } = runtime.context
  await end(runtime, status, reason, reportsOwnChanges(runtime), async () => {
    const why = status === 'completed' ? {} : { reason: errorOf(runtime, status, reason) }
    const request = { scopeId: runtime.id, status, ...why, ...activeMsOf(runtime), atMs: clock.wallMs() }
    // For the records only: the end is written even if the store cannot answer this now.
    const overrun = status === 'completed' ? await overrunOf(runtime).catch(() => ({})) : {}
    // Scopes below it in other processes, in case those processes are gone; in a group, also those that never started.
    if (!runtime.life.isOwned || runtime.kind === 'group')
      await pendingWrites.attempt(() => closeBelow(runtime.context, runtime.id))
    await pendingWrites.attempt(() => store.close(request))
    return overrun
  })
}

/** Ends a scope in this process, after the store has recorded the end. */
export async function endHere(runtime: ScopeRuntime, status: EndStatus, reason: string): Promise<void> {
  await end(runtime, status, reason, runtime.life.isOwned, async () => ({}))
}

async function end(
  runtime: ScopeRuntime,
  status: EndStatus,
  reason: string,
  isReported: boolean,
  write: () => Promise<Amounts>,
): Promise<void> {
  const { context } = runtime
  if (!isLiving(runtime)) return
  context.living.delete(runtime.id)
  context.endedLately.set(runtime.id, status)
  runtime.clocks.stop()
  const failures: unknown[] = []
  for (const child of [...runtime.children]) {
    await endScope(child, 'stopped', `"${runtime.path}" has ended`).catch((error) => failures.push(error))
  }
  changeLifecycle(runtime, { kind: 'ended', status, reason })
  endActivity(runtime.activity)
  runtime.parent?.children.delete(runtime)
  keepPromise(runtime)
  // Closed before it is aborted: waiting callers try once more, and must not be admitted.
  try {
    const overrun = await write()
    if (isReported) emitEnded(runtime, status, reason, overrun)
    else context.hub.end(runtime.id)
  } catch (error) {
    failures.push(error)
  }
  abortAll(runtime, new Error(reason))
  denyAllOf(runtime)
  context.line.wake(runtime.pathIds)
  if (failures.length > 0) throw failures[0]
}

async function closeBelow({ clock, store }: Pick<GovernorContext, 'clock' | 'store'>, scopeId: string): Promise<void> {
  const atMs = clock.wallMs()
  for (const { id } of await store.list({ standing: 'open', parentId: scopeId, atMs })) {
    await closeBelow({ clock, store }, id)
    await store.close({ scopeId: id, status: 'stopped', atMs })
  }
}

/** How far it exceeded its own limits: a good end stays one. */
async function overrunOf({ context, id, limits }: ScopeRuntime): Promise<Amounts> {
  if (limits.length === 0) return {}
  const readings = await context.store.read({ scopeId: id, atMs: context.clock.wallMs() })
  const own = readings?.at(-1)?.limits ?? []
  const over = own.filter(({ limit, overrun }) => isCounterMeter(limit.meter) && overrun > 0)
  return Object.fromEntries(over.map(({ limit, overrun }) => [limit.meter, overrun]))
}

function emitEnded(runtime: ScopeRuntime, status: EndStatus, reason: string, overrun: Amounts): void {
  const { hub, clock } = runtime.context
  const progress = progressFields(subjectOf(runtime))
  if (runtime.kind === 'agent' && status === 'completed') {
    hub.emit({ ...headerFor(runtime, 'agent_completed'), ...progress, overrun })
  } else if (runtime.kind === 'agent') {
    const header = headerFor(runtime, 'agent_failed')
    const breach = limitBehind(runtime, status)
    const error = errorOf(runtime, status, reason)
    if (breach === null) hub.emit({ ...header, ...progress, status, error })
    else {
      const moment = { event: 'agent_failed', atMs: clock.wallMs() } as const
      // Names the agent that ended, even if the limit belongs to a scope above.
      hub.emit({ ...limitEventFromBreach(moment, subjectOf(runtime), breach), ...header, status, error })
    }
  }
  hub.emit({ ...headerFor(runtime, 'scope_closed'), ...progress, status })
}

/** Why a scope did not complete. */
function errorOf(runtime: ScopeRuntime, status: EndStatus, reason: string): string {
  const breach = limitBehind(runtime, status)
  return breach === null ? reason : `Execution limit exceeded: ${breach.source.written}`
}

/** The limit that ended it; `null` if something else did. */
function limitBehind({ life }: ScopeRuntime, status: EndStatus): Breach | null {
  if (status !== 'limit-reached' && status !== 'timed-out') return null
  return (life.halt ?? life.stoppedBy)?.[0] ?? null
}
