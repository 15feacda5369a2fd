import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { LedgerStore } from '../../../src/core/index.ts'
import { createGovernor, type Governor } from '../../../src/governor/index.ts'
import { createPostgresStore } from '../../../src/stores/postgres/index.ts'
import { createManualClock } from '../../../src/testing/manual-clock.ts'
import { useDatabase } from './database.fixture.ts'

const database = useDatabase()
const SECOND_MS = 1_000

/** Operations of a store that are under way, so that time passes only between them. */
function counted(store: LedgerStore) {
  let underWay = 0
  let gate: Promise<void> = Promise.resolve()
  const operations = Object.entries(store).map(([name, operate]) => {
    if (typeof operate !== 'function' || name === 'listen' || name === 'onAlert') return [name, operate]
    const run = async (request: never): Promise<unknown> => {
      await gate
      underWay++
      try {
        return await (operate as (request: never) => Promise<unknown>)(request)
      } finally {
        underWay--
      }
    }
    return [name, run]
  })
  /** Nothing more is sent until the returned function is called. */
  function holdBack(): () => void {
    let go = (): void => {}
    gate = new Promise((resolve) => {
      go = resolve
    })
    return go
  }
  return { store: Object.fromEntries(operations) as LedgerStore, isBusy: () => underWay > 0, holdBack }
}

describe('an outage of two minutes', () => {
  beforeAll(async () => {
    await database.run('CREATE DATABASE outage')
  })
  afterAll(async () => {
    await database.run('DROP DATABASE outage WITH (FORCE)')
  })

  it('no process is declared dead, although no heartbeat was written meanwhile', async () => {
    const url = new URL(database.server.url)
    url.pathname = '/outage'
    const clock = createManualClock()
    const stores = [0, 1].map(() =>
      counted(createPostgresStore({ url: url.href, clock, serverTime: () => clock.wallMs() })),
    )
    onTestFinished(async () => {
      for (const { store } of stores) await store.dispose()
    })
    const start = (holder: number): Governor =>
      createGovernor({ store: stores[holder]!.store, clock, holder: `machine ${holder}`, isHolderAlive: () => null })
    async function pass(ms: number): Promise<void> {
      for (let left = ms; left > 0; left -= 500) {
        await clock.advance(Math.min(500, left))
        // An answer may be followed by the next operation, a few turns later.
        for (let turn = 0; turn < 4; turn++) {
          do await new Promise((resolve) => setImmediate(resolve))
          while (stores.some(({ isBusy }) => isBusy()))
        }
      }
    }
    const run = await start(0).open({ name: 'run', id: 'run', limits: { tokens: 100 } })
    expect(await run.reserve({ tokens: 90 }, { waitMs: 0 })).toMatchObject({ kind: 'granted' })
    const other = start(1)
    await pass(30 * SECOND_MS)
    await database.run('ALTER DATABASE outage ALLOW_CONNECTIONS false')
    await database.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'outage'`)
    await pass(120 * SECOND_MS)
    // The one whose heartbeats are missing comes back after the one who watches them.
    const go = stores[0]!.holdBack()
    await database.run('ALTER DATABASE outage ALLOW_CONNECTIONS true')
    await pass(30 * SECOND_MS)
    go()
    await pass(90 * SECOND_MS)
    const [holder] = await stores[1]!.store.holders()
    expect(holder).toMatchObject({ holder: 'machine 0', diedAtMs: null })
    expect(await run.reserve({ tokens: 10 }, { waitMs: 0 })).toMatchObject({ kind: 'granted' })
    await other.close()
  })
})
