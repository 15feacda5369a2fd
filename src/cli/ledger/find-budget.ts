import { type LedgerStore, type ScopeReading, StintError, showValue, suggestName } from '../../core/index.ts'
import { MOST_SCOPES } from './find-scope.ts'

/** Every lasting scope, the earliest made first. */
export async function listLasting(store: LedgerStore, atMs: number): Promise<readonly ScopeReading[]> {
  const roots = await store.list({ standing: 'open', parentId: null, most: MOST_SCOPES, atMs })
  return roots.filter(({ kind }) => kind === 'lasting')
}

/** The budget with this name. Throws with the name that was probably meant. */
export async function findBudget(store: LedgerStore, key: string, atMs: number): Promise<ScopeReading> {
  const budgets = await listLasting(store, atMs)
  const found = budgets.find(({ id }) => id === key)
  if (found !== undefined) return found
  const nearest = suggestName(
    key,
    budgets.map(({ id }) => id),
  )
  const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
  const remedy = `To make it: stint budget set ${key} --limit cost=100/day`
  throw new StintError('unknown_scope', `There is no budget ${showValue(key)}.${hint} ${remedy}`)
}
