import { isEnded, type ScopeReading, StintError } from '../../core/index.ts'
import { MOST_SCOPES } from '../find/find-scope.ts'
import type { Operator } from '../operator.ts'
import { endsWhenDenied } from '../requests/answer-request.ts'
import { endTree } from './end-tree.ts'
import { isOwnerAlive } from './scope-details.ts'

/**
 * Throws unless a scope can be resumed: it is paused, or its process died. After a request for more it resumes if that
 * was approved and ends if it was denied, even if its process died before the answer. A run that was denied more agents
 * resumes without them.
 */
export async function assertResumable(operator: Operator, scope: ScopeReading): Promise<void> {
  const { id, path, status, pause } = scope
  if (isEnded(status)) {
    const hint =
      status === 'limit-reached' ? ' To be able to resume a run after a limit, start it with --on-limit pause.' : ''
    throw new StintError('scope_closed', `"${path}" has ended (${status}) and cannot be resumed.${hint}`)
  }
  if (status !== 'paused' && isOwnerAlive(operator, scope) !== false) {
    throw new StintError('not_paused', `"${path}" is ${status}, not paused.`)
  }
  await refusePartOfGroup(operator, scope)
  const requestId = pause?.requestId ?? null
  if (requestId === null) return
  const [request] = await operator.store.requests({ requestId })
  const answer = request?.status ?? 'open'
  if (answer === 'approved') return
  if (answer === 'open') {
    const message = `"${path}" is waiting for an answer: stint approve ${requestId}, or stint deny ${requestId}`
    throw new StintError('scope_paused', message)
  }
  if (!endsWhenDenied(scope, request!)) return
  await endTree(operator, id, 'limit-reached')
  throw new StintError('scope_closed', `"${path}" asked for more, and the request was ${answer}: it has ended.`)
}

/** An agent of a group is resumed with the group, which waits for its answer. */
async function refusePartOfGroup({ store, nowMs }: Operator, { id, path }: ScopeReading): Promise<void> {
  const group = (await store.read({ scopeId: id, atMs: nowMs() }))?.at(-2)
  if (group?.kind !== 'group') return
  const message = `"${path}" is part of the group ${group.id}. To resume both: stint resume ${group.id}`
  throw new StintError('scope_paused', message)
}

/**
 * Resumes a paused scope in the process that runs it. `hasMore`: a limit was raised just now, so it may have resumed by
 * itself.
 */
export async function resumeScope(operator: Operator, scope: ScopeReading, { hasMore }: { readonly hasMore: boolean }) {
  const { store, by, nowMs } = operator
  const { id, path, pause } = scope
  const outcome = await store.resume({ scopeId: id, by, atMs: nowMs() })
  if (outcome.kind === 'no-owner') throw noProcess(scope)
  if (outcome.kind === 'not-paused' && !(hasMore && outcome.status === 'running')) {
    throw new StintError('not_paused', `"${path}" has already been resumed by someone else: it is ${outcome.status}.`)
  }
  return { id, path, status: 'running', isOwnerAlive: isOwnerAlive(operator, scope), pause } as const
}

/** For a scope that only its own program can resume. */
export function noProcess({ id, path }: ScopeReading): StintError {
  const message =
    `The process that ran "${path}" is dead. Start its program again with the same scope, ` +
    `e.g. governor.open({ id: ${JSON.stringify(id)}, … }): it takes over the scope, with its limits and what it has spent.`
  return new StintError('scope_paused', message)
}

/** The runs that are paused only because this scope was, not by a limit, a request or a user. */
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
