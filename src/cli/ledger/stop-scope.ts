import type { LedgerStore } from '../../core/index.ts'
import { MOST_SCOPES } from './find-scope.ts'

/** Ends a scope and everything below it, the deepest first. Returns the ids of those that were still open. */
export async function stopScope(store: LedgerStore, scopeId: string, nowMs: () => number): Promise<readonly string[]> {
  const children = await store.list({ standing: 'open', parentId: scopeId, most: MOST_SCOPES, atMs: nowMs() })
  const stopped: string[] = []
  for (const { id } of children) stopped.push(...(await stopScope(store, id, nowMs)))
  const { kind } = await store.close({ scopeId, status: 'stopped', atMs: nowMs() })
  return kind === 'closed' ? [...stopped, scopeId] : stopped
}
