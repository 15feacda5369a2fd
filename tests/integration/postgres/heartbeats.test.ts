import { describe, expect, it } from 'vitest'
import { openScope, openStoreAt, useDatabase } from './database.fixture.ts'

const database = useDatabase()

describe('a heartbeat', () => {
  it('does not wait for the lock of a root, even while a call of the same holder does', async () => {
    const { url, schema } = await database.newSchema()
    const store = openStoreAt(url)
    await openScope(store, 'hot')
    let isReserved = false
    const call = { reservationId: 'one', scopeId: 'hot', amounts: { tokens: 1 }, holder: 'host:1', atMs: Date.now() }
    const locked = await database.lock(schema, 'hot')
    const reserving = store.reserve(call).then(() => {
      isReserved = true
    })
    await expect
      .poll(() => database.run(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`))
      .toHaveLength(1)
    expect(await store.beat({ holder: 'host:1', atMs: Date.now() })).toEqual({ kind: 'beating', beats: 1 })
    expect(isReserved).toBe(false)
    await locked.release()
    await reserving
  })
})
