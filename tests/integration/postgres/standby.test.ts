import { expect, it } from 'vitest'
import { describeLedger, verifyLedger } from '../../../src/stores/postgres/index.ts'
import { openScope, openStoreAt, spend, useDatabase } from './database.fixture.ts'

const database = useDatabase()

it('a replica is read and verified like its primary, and refuses what writes with the fix', async () => {
  const { schema, url } = await database.newSchema()
  const store = openStoreAt(url)
  await openScope(store, 'run')
  await spend(store, 'run', 'before')
  const replica = await database.server.replicate()
  await spend(store, 'run', 'after')
  const replicaUrl = `${replica.url}?schema=${schema}`
  const entries = async (at: string): Promise<number> => (await verifyLedger(at)).entries
  await expect.poll(() => entries(replicaUrl)).toBe(await entries(url))
  expect(await verifyLedger(replicaUrl)).toMatchObject({ ok: true, entries: await entries(url), roots: 1, scopes: 1 })
  expect(await describeLedger(replicaUrl)).toMatchObject({ isReplica: true })
  const reading = openStoreAt(replicaUrl)
  const asked = { scopeId: 'run', atMs: 1 }
  expect(await reading.read(asked)).toEqual(await store.read(asked))
  await expect(spend(reading, 'run', 'never')).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining('is read-only; use the address of the primary server'),
  })
})
