import { allBudgets } from '../find/find-budget.ts'
import { MOST_SCOPES } from '../find/find-scope.ts'
import type { Operator } from '../operator.ts'
import { type ScopeDetails, scopeDetails } from '../scopes/scope-details.ts'
import { scopeView } from '../views/scope-view.ts'

/** Every budget, oldest first, with nested budgets after their parent. */
export async function listBudgets(operator: Operator): Promise<readonly ScopeDetails[]> {
  return scopeDetails(operator, await allBudgets(operator))
}

export interface ShownBudget {
  readonly budget: ScopeDetails
  /** Those that spend from it now. */
  readonly runs: readonly ScopeDetails[]
}

/** One budget and the runs that spend from it. */
export async function showBudget(operator: Operator, budgetId: string): Promise<ShownBudget> {
  const { store, nowMs } = operator
  const atMs = nowMs()
  const budget = (await store.read({ scopeId: budgetId, atMs }))!.at(-1)!
  const below = await store.list({ standing: 'open', parentId: budgetId, most: MOST_SCOPES, atMs })
  const [first, ...runs] = await scopeDetails(operator, [budget, ...below])
  return { budget: first!, runs }
}

export function shownBudgetView({ budget, runs }: ShownBudget) {
  return { budget: scopeView(budget), runs: runs.map(scopeView) }
}
