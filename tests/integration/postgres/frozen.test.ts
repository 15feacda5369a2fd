import { expect, it } from 'vitest'
import { isConnectionLost, openConnections } from '../../../src/stores/postgres/database/connections.ts'
import { addressIn } from '../../../src/stores/postgres/database/database-address.ts'
import { openScope, openStoreAt, spend, useDatabase } from './database.fixture.ts'

const { newSchema } = useDatabase()

it('a process that is frozen in the middle of a transaction keeps its tree locked for the timeout only', async () => {
  const { url } = await newSchema()
  const store = openStoreAt(url)
  await openScope(store, 'run')
  const address = addressIn('url', url)
  const connections = openConnections({ address, most: 1, connectMs: 5_000, statementMs: 300, lockMs: 300 })
  let isFree = false
  let spent = Promise.resolve()
  const frozen = connections.use(async (session) => {
    await session.begin()
    await session.query({ text: 'SELECT 1 FROM roots WHERE id = $1 FOR UPDATE', values: ['run'] })
    spent = spend(store, 'run', 'call').then(() => {
      isFree = true
    })
    // It continues only once others have gone on without it.
    await expect.poll(() => isFree, { timeout: 9_000 }).toBe(true)
    await session.query({ text: 'UPDATE roots SET change = 0 WHERE id = $1', values: ['run'] })
    return session.commit()
  })
  await expect(frozen).rejects.toSatisfy(isConnectionLost)
  await spent
  expect((await store.read({ scopeId: 'run', atMs: Date.now() }))?.at(-1)?.totals.tokens).toEqual({
    settled: 7,
    reserved: 0,
  })
  await connections.close()
})
