import { expect, it } from 'vitest'
import { parseLimits } from '../../policy/index.ts'
import { unpausedBudget } from '../budgets/refuse-paused-budget.ts'
import { setBudget } from '../budgets/set-budget.ts'
import { changeLimits } from '../limits/change-limits.ts'
import { createOperator, NOW_MS } from '../operator.fixture.ts'
import { pauseScope } from '../scopes/pause-scope.ts'
import { createKey } from './keys.ts'
import { openServerScope, SERVER_SCOPE_ID } from './server-scope.ts'

it('nothing is spent in the scope of the server, and nothing of it changes, also before there is one', async () => {
  const operator = createOperator()
  const layers = [parseLimits(['cost=1'], { layer: 'call', flag: '--limit' })]
  await expect(setBudget(operator, SERVER_SCOPE_ID, layers, null)).rejects.toMatchObject({ code: 'not_allowed' })
  await openServerScope(operator.store, NOW_MS)
  const scope = (await operator.store.read({ scopeId: SERVER_SCOPE_ID, atMs: NOW_MS }))!.at(-1)!
  const key = { hash: 'a'.repeat(64), name: null, expiresAtMs: null }
  for (const attempt of [
    () => setBudget(operator, SERVER_SCOPE_ID, layers, null),
    () => changeLimits(operator, scope, { layers, ceilings: [] }),
    () => pauseScope(operator, scope, 'by hand'),
    () => unpausedBudget(operator, SERVER_SCOPE_ID),
    () => createKey(operator, scope, key),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'not_allowed' })
  }
  expect(await createKey(operator, scope, { ...key, role: 'viewer' })).toMatchObject({ scopeId: SERVER_SCOPE_ID })
  expect((await operator.store.read({ scopeId: SERVER_SCOPE_ID, atMs: NOW_MS }))!.at(-1)).toMatchObject({
    status: 'running',
    limits: [],
  })
})
