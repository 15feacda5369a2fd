import { isEnded, type ScopeReading, StintError } from '../../core/index.ts'
import { MOST_SCOPES } from '../find/find-scope.ts'
import type { Operator } from '../operator.ts'
import { endTree } from './end-tree.ts'
import { isOwnerAlive } from './scope-details.ts'

/**
 * Throws unless a scope may go on: it is paused, or its process died. One that asked for more goes on after a yes and
 * ends after a no, also where its process did not live to hear the answer.
 */
export async function assertResumable(operator: Operator, scope: ScopeReading): Promise<void> {
  const { id, path, status, pause } = scope
  if (isEnded(status)) {
    const hint = status === 'limit-reached' ? ' To let a run go on after a limit, start it with --on-limit pause.' : ''
    throw new StintError('scope_closed', `"${path}" has ended (${status}) and cannot go on.${hint}`)
  }
  if (status !== 'paused' && isOwnerAlive(operator, scope) !== false) {
    throw new StintError('not_paused', `"${path}" is ${status}, not paused.`)
  }
  await refusePartOfGroup(operator, scope)
  const requestId = pause?.requestId ?? null
  if (requestId === null) return
  const answer = (await operator.store.requests({ requestId }))[0]?.status ?? 'open'
  if (answer === 'approved') return
  if (answer === 'open') {
    const message = `"${path}" waits for an answer. Give one: stint approve ${requestId}, or: stint deny ${requestId}`
    throw new StintError('scope_paused', message)
  }
  await endTree(operator, id, 'limit-reached')
  throw new StintError('scope_closed', `"${path}" asked for more, and the request was ${answer}: it has ended.`)
}

/** An agent of a group goes on with the group, which waits for it and hands on its answer. */
async function refusePartOfGroup({ store, nowMs }: Operator, { id, path }: ScopeReading): Promise<void> {
  const group = (await store.read({ scopeId: id, atMs: nowMs() }))?.at(-2)
  if (group?.kind !== 'group') return
  const message = `"${path}" is a part of the group ${group.id}. To go on with both: stint resume ${group.id}`
  throw new StintError('scope_paused', message)
}

/**
 * Lets a paused scope go on under the process that runs it. `hasMore`: it was given more of a limit just now, and may
 * have gone on by itself.
 */
export async function resumeScope(operator: Operator, scope: ScopeReading, { hasMore }: { readonly hasMore: boolean }) {
  const { store, by, nowMs } = operator
  const { id, path, pause } = scope
  const outcome = await store.resume({ scopeId: id, by, atMs: nowMs() })
  if (outcome.kind === 'no-owner') throw noProcess(scope)
  if (outcome.kind === 'not-paused' && !(hasMore && outcome.status === 'running')) {
    throw new StintError('not_paused', `"${path}" was resumed by someone else already: it is ${outcome.status}.`)
  }
  return { id, path, status: 'running', isOwnerAlive: isOwnerAlive(operator, scope), pause } as const
}

/** For a scope that only its own program can go on with. */
export function noProcess({ id, path }: ScopeReading): StintError {
  const message =
    `The process that ran "${path}" is dead. Start its program again with the same scope, ` +
    `e.g. governor.open({ id: ${JSON.stringify(id)}, … }): it takes the scope over, with what is spent and its limits.`
  return new StintError('scope_paused', message)
}

/** The runs that are paused only because this scope above them was: no limit, no request and no person paused them. */
export async function pausedBy({ store, nowMs }: Operator, paused: ScopeReading): Promise<readonly ScopeReading[]> {
  const open = await store.list({ standing: 'open', most: MOST_SCOPES, atMs: nowMs() })
  const byId = new Map(open.map((scope) => [scope.id, scope]))
  const isBelow = (scope: ScopeReading): boolean => {
    for (let at = scope.parentId; at !== null; at = byId.get(at)?.parentId ?? null) if (at === paused.id) return true
    return false
  }
  const sinceMs = paused.pause?.atMs ?? Number.POSITIVE_INFINITY
  return open.filter((scope) => {
    const { status, pause } = scope
    if (status !== 'paused' || pause === null || !isBelow(scope)) return false
    return pause.breaches === null && pause.requestId === null && pause.by === null && pause.atMs >= sinceMs
  })
}
