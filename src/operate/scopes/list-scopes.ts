import type { ListFilter } from '../../core/index.ts'
import { MOST_SCOPES } from '../find/find-scope.ts'
import { SERVER_SCOPE_ID } from '../keys/server-scope.ts'
import type { Operator } from '../operator.ts'
import { scopeView } from '../views/scope-view.ts'
import { type ScopeDetails, scopeDetails } from './scope-details.ts'

export interface ScopeList {
  /** The earliest opened first. */
  readonly scopes: readonly ScopeDetails[]
  /** How many there are, listed or not. */
  readonly total: number
}

/** The scopes of a ledger, up to `most`. */
export async function listScopes(
  operator: Operator,
  { standing, most = MOST_SCOPES }: Pick<ListFilter, 'standing' | 'most'>,
): Promise<ScopeList> {
  const { store, nowMs } = operator
  const atMs = nowMs()
  const listed = await store.list({ standing, most: most + 1, atMs })
  // The server's own scope spends nothing and does not concern its users.
  const ofUsers = listed.filter(({ id }) => id !== SERVER_SCOPE_ID)
  const scopes = await scopeDetails(operator, ofUsers.slice(0, most))
  if (listed.length <= most) return { scopes, total: scopes.length }
  const hasServerScope = standing !== 'ended' && (await store.read({ scopeId: SERVER_SCOPE_ID, atMs })) !== null
  return { scopes, total: (await store.count({ standing })) - (hasServerScope ? 1 : 0) }
}

export function scopeListView({ scopes, total }: ScopeList) {
  return { scopes: scopes.map(scopeView), isTruncated: total > scopes.length }
}
