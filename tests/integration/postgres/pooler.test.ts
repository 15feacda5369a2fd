import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGovernor } from '../../../src/governor/index.ts'
import { describeLedger, pruneLedger, verifyLedger } from '../../../src/stores/postgres/index.ts'
import { openScope, openStoreAt, spend, useDatabase } from './database.fixture.ts'
import { startTransactionPooler } from './transaction-pooler.fixture.ts'

const database = useDatabase()
let pooler: Awaited<ReturnType<typeof startTransactionPooler>>
beforeAll(async () => {
  pooler = await startTransactionPooler(database.server.url, 3)
})
afterAll(() => pooler.stop())

async function newLedger(): Promise<string> {
  const { schema } = await database.newSchema()
  return `${pooler.url}?schema=${schema}`
}

describe('behind a pooler in transaction mode', () => {
  it('a ledger is made, spent from by several processes, verified, described and pruned', async () => {
    const url = await newLedger()
    const stores = [1, 2, 3].map(() => openStoreAt(url))
    await Promise.all(stores.map((store, index) => openScope(store, `run-${index}`)))
    await openScope(stores[0]!, 'hot')
    const before = pooler.handovers()
    await Promise.all(
      stores.flatMap((store, index) =>
        [1, 2, 3, 4, 5, 6].map(async (call) => {
          await spend(store, 'hot', `hot-${index}-${call}`)
          await spend(store, `run-${index}`, `own-${index}-${call}`)
        }),
      ),
    )
    // Each transaction gets whichever connection is free, and so do its settings: the schema, the timeouts.
    expect(pooler.handovers()).toBeGreaterThan(before + 6)
    const [hot] = (await stores[2]!.read({ scopeId: 'hot', atMs: Date.now() }))!
    expect(hot!.totals.tokens).toEqual({ settled: 18 * 7, reserved: 0 })
    expect(await verifyLedger(url)).toMatchObject({ ok: true, roots: 4, problems: [] })
    expect(await describeLedger(url)).toMatchObject({
      rights: 'owner',
      schema: new URL(url).searchParams.get('schema'),
    })
    await stores[0]!.close({ scopeId: 'hot', status: 'completed', atMs: Date.now() })
    await pruneLedger(url, { beforeMs: Date.now() + 1, atMs: Date.now() })
    expect(await verifyLedger(url)).toMatchObject({ ok: true, problems: [] })
  })

  it('a pause arrives although no notification does', async () => {
    const url = await newLedger()
    const store = openStoreAt(url)
    const governor = createGovernor({ store })
    const run = await governor.open({ name: 'run', limits: { toolCalls: 5 } })
    await openStoreAt(url).pause({ scopeId: run.id, reason: 'lunch', atMs: Date.now() })
    await expect.poll(() => run.status(), { timeout: 9_000 }).toBe('paused')
    await governor.close()
  })
})
