import { isEnded, type ScopeReading, StintError, showValue, suggestName } from '../../core/index.ts'
import { refuseServerScope, SERVER_SCOPE_ID } from '../keys/server-scope.ts'
import type { LedgerReader } from '../operator.ts'
import { inTreeOrder } from '../scopes/scope-tree.ts'
import { MOST_SCOPES } from './find-scope.ts'

/** Every budget, oldest first, with nested budgets after their parent. */
export async function allBudgets({ store, nowMs }: LedgerReader): Promise<readonly ScopeReading[]> {
  const budgets = await store.list({ standing: 'open', kind: 'lasting', most: MOST_SCOPES, atMs: nowMs() })
  return inTreeOrder(budgets.filter(({ id }) => id !== SERVER_SCOPE_ID)).map(({ scope }) => scope)
}

/** The budget with this name. Throws with the name that was probably meant. */
export async function findBudget(reader: LedgerReader, key: string): Promise<ScopeReading> {
  refuseServerScope(key)
  const found = (await reader.store.read({ scopeId: key, atMs: reader.nowMs() }))?.at(-1)
  if (found?.kind === 'lasting' && !isEnded(found.status)) return found
  const nearest = suggestName(
    key,
    (await allBudgets(reader)).map(({ id }) => id),
  )
  const hint = nearest === null ? '' : ` Did you mean ${JSON.stringify(nearest)}?`
  const remedy = `To create it: stint budget set ${key} --limit cost=100/day`
  throw new StintError('unknown_scope', `There is no budget ${showValue(key)}.${hint} ${remedy}`)
}
