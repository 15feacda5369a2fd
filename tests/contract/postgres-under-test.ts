import postgres from 'postgres'
import type { LedgerStore } from '../../src/core/index.ts'
import { createPostgresStore } from '../../src/stores/postgres/index.ts'
import { createSystemClock } from '../../src/system/index.ts'
import type { StoreUnderTest } from '../../src/testing/store-contract/store-under-test.ts'
import { startPostgres } from '../setup/postgres-server.ts'

/** A server, and stores in it: each ledger has a schema of its own. */
export interface PostgresUnderTest extends Required<StoreUnderTest> {
  start(): Promise<void>
  remove(): Promise<void>
}

export function createPostgresUnderTest(): PostgresUnderTest {
  const urls = new Map<LedgerStore, string>()
  let ledgers = 0
  let url = ''
  let removeServer = async (): Promise<void> => {}

  /** Callers say what time it is. */
  function open(address: string): LedgerStore {
    const clock = createSystemClock()
    const store = createPostgresStore({ url: address, clock, serverTime: () => clock.wallMs() })
    urls.set(store, address)
    return store
  }

  return {
    async start() {
      const server = await startPostgres(['-c', 'fsync=off'])
      url = server.url
      removeServer = server.remove
    },
    remove: () => removeServer(),
    async createStore() {
      const schema = `ledger_${++ledgers}`
      const sql = postgres(url, { max: 1 })
      await sql.unsafe(`CREATE SCHEMA ${schema}`)
      await sql.end()
      return open(`${url}?schema=${schema}`)
    },
    async reopen(store) {
      await store.dispose()
      return open(urls.get(store)!)
    },
    second: (store) => open(urls.get(store)!),
  }
}
