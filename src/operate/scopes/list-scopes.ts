import type { ListFilter } from '../../core/index.ts'
import { MOST_SCOPES } from '../find/find-scope.ts'
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
  const scopes = await scopeDetails(operator, await store.list({ standing, most, atMs: nowMs() }))
  return { scopes, total: scopes.length < most ? scopes.length : await store.count({ standing }) }
}

export function scopeListView({ scopes, total }: ScopeList) {
  return { scopes: scopes.map(scopeView), isTruncated: total > scopes.length }
}
