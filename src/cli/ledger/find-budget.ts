import { type LedgerStore, type ScopeReading, StintError, showValue, suggestName } from '../../core/index.ts'
import { MOST_SCOPES } from './find-scope.ts'

/** Every lasting scope, the earliest made first; a user's that is within a team behind that team. */
export async function listLasting(store: LedgerStore, atMs: number): Promise<readonly ScopeReading[]> {
  const lastingBelow = async (parentId: string | null): Promise<readonly ScopeReading[]> => {
    const scopes = await store.list({ standing: 'open', parentId, most: MOST_SCOPES, atMs })
    return scopes.filter(({ kind }) => kind === 'lasting')
  }
  const budgets: ScopeReading[] = []
  for (const root of await lastingBelow(null)) {
    budgets.push(root, ...(root.openChildren === 0 ? [] : await lastingBelow(root.id)))
  }
  return budgets
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
