import type { EndStatus } from '../../core/index.ts'
import { MOST_SCOPES } from '../find/find-scope.ts'
import type { Operator } from '../operator.ts'

/** Ends a scope and everything below it, the deepest first. Returns the ids of those that were still open. */
export async function endTree(operator: Operator, scopeId: string, status: EndStatus): Promise<readonly string[]> {
  const { store, by, nowMs } = operator
  const children = await store.list({ standing: 'open', parentId: scopeId, most: MOST_SCOPES, atMs: nowMs() })
  const ended: string[] = []
  for (const { id } of children) ended.push(...(await endTree(operator, id, status)))
  const { kind } = await store.close({ scopeId, status, by, atMs: nowMs() })
  return kind === 'closed' ? [...ended, scopeId] : ended
}
