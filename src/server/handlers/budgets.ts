import { assertScopeName } from '../../core/index.ts'
import { listBudgets, showBudget, shownBudgetView } from '../../operate/budgets/list-budgets.ts'
import { setBudget } from '../../operate/budgets/set-budget.ts'
import { findBudget } from '../../operate/find/find-budget.ts'
import { SERVER_SCOPE_ID } from '../../operate/keys/server-scope.ts'
import { changedLimitsView } from '../../operate/limits/change-limits.ts'
import { scopeView } from '../../operate/views/scope-view.ts'
import { parseLimits } from '../../policy/index.ts'
import { unknownScope } from '../http/refusals.ts'
import { operatorFor, shownScope } from '../server-context.ts'
import type { Handlers } from './handler.ts'
import { onlyShown } from './only-shown.ts'

/** Budgets of teams and users. */
export const BUDGET_HANDLERS: Pick<Handlers, 'GET /api/budgets' | 'GET /api/budgets/:id' | 'POST /api/budgets'> = {
  async 'GET /api/budgets'({ context, caller }) {
    const budgets = await listBudgets(operatorFor(context, caller))
    return { budgets: (await onlyShown(context, caller, budgets, ({ id }) => id)).map(scopeView) }
  },

  async 'GET /api/budgets/:id'({ context, caller, params }) {
    const { id, kind } = await shownScope(context, caller, params.id)
    if (kind !== 'lasting') throw unknownScope(id)
    return shownBudgetView(await showBudget(operatorFor(context, caller), id))
  },

  async 'POST /api/budgets'({ context, caller, body }) {
    const { id, limits, within } = body
    assertScopeName(id)
    for (const named of [id, within]) if (named === SERVER_SCOPE_ID) throw unknownScope(named)
    const layers = [parseLimits(limits, { layer: 'call', call: `the HTTP API by ${caller.by}` })]
    const withinId = within === undefined ? null : (await findBudget(context, within)).id
    return changedLimitsView(await setBudget(operatorFor(context, caller), id, layers, withinId))
  },
}
