import { isEnded, type LedgerStore, type ScopeReading } from '../../core/index.ts'
import type { Platform } from '../platform.ts'
import { MOST_SCOPES } from './find-scope.ts'

/** The scopes that stand for an answer to a request although their process is gone: no one will hear the answer. */
export async function leftWaitingFor(
  store: LedgerStore,
  requestId: string,
  platform: Platform,
): Promise<readonly ScopeReading[]> {
  const open = await store.list({ standing: 'open', most: MOST_SCOPES, atMs: platform.nowMs() })
  return open.filter(({ pause, owner, isOrphaned }) => {
    if (pause?.requestId !== requestId) return false
    return isOrphaned || (owner !== null && platform.isHolderAlive(owner) === false)
  })
}

/** Ends a scope at the limit that it was not given more of, with everything below it. */
export async function endAtLimit(store: LedgerStore, scope: ScopeReading, nowMs: () => number): Promise<void> {
  const children = await store.list({ standing: 'open', parentId: scope.id, most: MOST_SCOPES, atMs: nowMs() })
  for (const child of children) if (!isEnded(child.status)) await endAtLimit(store, child, nowMs)
  await store.close({ scopeId: scope.id, status: 'limit-reached', atMs: nowMs() })
}
