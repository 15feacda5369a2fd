import {
  type Amounts,
  type Breach,
  type EndStatus,
  isCounterMeter,
  limitEventFromBreach,
  progressFields,
} from '../../core/index.ts'
import { headerFor, tellsOwnDeeds } from '../events/tell.ts'
import { denyAllOf } from '../steering/answer-increase.ts'
import { endActivity } from './activity.ts'
import { apply } from './apply-fact.ts'
import { abortAll } from './halt-scope.ts'
import { statusAfter } from './lifecycle.ts'
import { keepPromise } from './promised-needs.ts'
import { activeMsOf, type GovernorContext, isLiving, pathIds, type ScopeRuntime, subjectOf } from './scope-runtime.ts'

/**
 * Ends a scope as somebody says, unless a limit has ended it before. A second end changes nothing. Throws what the store
 * throws, but not before everything is over here; a store that cannot be reached now is told later.
 */
export function endScope(runtime: ScopeRuntime, said: EndStatus, reason: string): Promise<void> {
  return endScopeAs(runtime, statusAfter(runtime.life, said, runtime.hasEndedWork), reason)
}

/** Ends a scope just so, everything below it first. */
export async function endScopeAs(runtime: ScopeRuntime, status: EndStatus, reason: string): Promise<void> {
  const { clock, debts, store } = runtime.context
  await end(runtime, status, reason, tellsOwnDeeds(runtime), async () => {
    const request = { scopeId: runtime.id, status, ...activeMsOf(runtime), atMs: clock.wallMs() }
    // A note only: a store that cannot tell it now must still be told of the end.
    const overrun = status === 'completed' ? await overrunOf(runtime).catch(() => ({})) : {}
    // Those that others have below it, should nobody be there any more to end them.
    if (!runtime.life.isOwned) await debts.attempt(() => closeBelow(runtime.context, runtime.id))
    await debts.attempt(() => store.close(request))
    return overrun
  })
}

/** What an end does in this process, where the store has it already. */
export async function endHere(runtime: ScopeRuntime, status: EndStatus, reason: string): Promise<void> {
  await end(runtime, status, reason, runtime.life.isOwned, async () => ({}))
}

async function end(
  runtime: ScopeRuntime,
  status: EndStatus,
  reason: string,
  isTold: boolean,
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
  apply(runtime, { kind: 'ended', status, reason })
  endActivity(runtime.activity)
  runtime.parent?.children.delete(runtime)
  keepPromise(runtime)
  // Closed before it is aborted: whoever waits there asks once more, and must not be let in.
  try {
    const overrun = await write()
    if (isTold) tellEnded(runtime, status, reason, overrun)
    else context.hub.end(runtime.id)
  } catch (error) {
    failures.push(error)
  }
  abortAll(runtime, new Error(reason))
  denyAllOf(runtime)
  context.line.wake(pathIds(runtime))
  if (failures.length > 0) throw failures[0]
}

async function closeBelow({ clock, store }: Pick<GovernorContext, 'clock' | 'store'>, scopeId: string): Promise<void> {
  const atMs = clock.wallMs()
  for (const { id } of await store.list({ standing: 'open', parentId: scopeId, atMs })) {
    await closeBelow({ clock, store }, id)
    await store.close({ scopeId: id, status: 'stopped', atMs })
  }
}

/** By how much it went past its own limits: a good end stays one. */
async function overrunOf({ context, id, limits }: ScopeRuntime): Promise<Amounts> {
  if (limits.length === 0) return {}
  const readings = await context.store.read({ scopeId: id, atMs: context.clock.wallMs() })
  const own = readings?.at(-1)?.limits ?? []
  const over = own.filter(({ limit, overrun }) => isCounterMeter(limit.meter) && overrun > 0)
  return Object.fromEntries(over.map(({ limit, overrun }) => [limit.meter, overrun]))
}

function tellEnded(runtime: ScopeRuntime, status: EndStatus, reason: string, overrun: Amounts): void {
  const { hub, clock } = runtime.context
  const progress = progressFields(subjectOf(runtime))
  if (runtime.kind === 'agent' && status === 'completed') {
    hub.emit({ ...headerFor(runtime, 'agent_completed'), ...progress, overrun })
  } else if (runtime.kind === 'agent') {
    const header = headerFor(runtime, 'agent_failed')
    const breach = status === 'limit-reached' || status === 'timed-out' ? limitBehind(runtime) : null
    if (breach === null) hub.emit({ ...header, ...progress, status, error: reason })
    else {
      const moment = { event: 'agent_failed', atMs: clock.wallMs() } as const
      const error = `Execution limit exceeded: ${breach.source.written}`
      // The agent that ended is meant, also where the limit is one of a scope above.
      hub.emit({ ...limitEventFromBreach(moment, subjectOf(runtime), breach), ...header, status, error })
    }
  }
  hub.emit({ ...headerFor(runtime, 'scope_closed'), ...progress, status })
}

function limitBehind({ life }: ScopeRuntime): Breach | null {
  return (life.halt ?? life.stoppedBy)?.[0] ?? null
}
