import { expect, it } from 'vitest'
import { openServerScope } from '../keys/server-scope.ts'
import { createOperator, NOW_MS } from '../operator.fixture.ts'
import { listScopes, scopeListView } from './list-scopes.ts'

it('a list has as many scopes as requested, and the total number', async () => {
  const operator = createOperator()
  for (const id of ['a', 'b', 'c']) await operator.open({ id })
  await operator.store.close({ scopeId: 'a', status: 'completed', atMs: NOW_MS })
  const open = await listScopes(operator, { standing: 'open', most: 1 })
  expect(open).toMatchObject({ scopes: [{ id: 'b' }], total: 2 })
  expect(scopeListView(open)).toMatchObject({ scopes: [{ id: 'b' }], isTruncated: true })
  expect(await listScopes(operator, { standing: 'open', most: 2 })).toMatchObject({ total: 2 })
  const all = await listScopes(operator, { standing: 'all' })
  expect(all.total).toBe(3)
  expect(scopeListView(all)).toMatchObject({ isTruncated: false })
})

it('a list neither shows nor counts the scope of the server', async () => {
  const operator = createOperator()
  await operator.open({ id: 'a' })
  await openServerScope(operator.store, NOW_MS)
  for (const id of ['b', 'c']) await operator.open({ id })
  const ids = async (most: number): Promise<unknown> => {
    const { scopes, total } = await listScopes(operator, { standing: 'open', most })
    return [scopes.map(({ id }) => id), total]
  }
  expect(await ids(1)).toEqual([['a'], 3])
  expect(await ids(2)).toEqual([['a', 'b'], 3])
  expect(await ids(3)).toEqual([['a', 'b', 'c'], 3])
  expect(await ids(4)).toEqual([['a', 'b', 'c'], 3])
})

it('a list says whether the process of each scope is alive, and checks each process once', async () => {
  const operator = createOperator()
  await operator.open({ id: 'budget', kind: 'lasting', owner: null })
  for (const [id, owner] of Object.entries({ here: 'here', left: 'dead', paused: 'dead', away: 'far', more: 'dead' })) {
    await operator.open({ id, owner })
  }
  await operator.store.pause({ scopeId: 'paused', reason: 'by hand', atMs: NOW_MS })
  const asked: string[] = []
  const isHolderAlive = (holder: string): boolean | null => {
    asked.push(holder)
    return operator.isHolderAlive(holder)
  }
  const { scopes } = await listScopes({ ...operator, isHolderAlive }, { standing: 'open' })
  expect(scopes.map(({ id, isOwnerAlive, isStale }) => [id, isOwnerAlive, isStale])).toEqual([
    ['budget', null, false],
    ['here', true, false],
    ['left', false, true],
    ['paused', false, false],
    ['away', null, false],
    ['more', false, true],
  ])
  expect(asked).toEqual(['here', 'dead', 'far'])
})

it('a list says how much of what is settled is only assumed, on every scope that pays', async () => {
  const operator = createOperator()
  await operator.open({ id: 'team', kind: 'lasting', owner: null })
  await operator.open({ id: 'run', owner: 'dead' }, 'team')
  await operator.open({ id: 'other' }, 'team')
  const call = { reservationId: 'call', scopeId: 'run', amounts: { tokens: 5 }, holder: 'dead' }
  await operator.store.reserve({ ...call, atMs: NOW_MS })
  await operator.store.assume({ holder: 'dead', atMs: NOW_MS })
  const { scopes } = await listScopes(operator, { standing: 'open' })
  expect(scopes.map(({ id, totals }) => [id, totals.tokens.assumed])).toEqual([
    ['team', 5],
    ['run', 5],
    ['other', undefined],
  ])
})
