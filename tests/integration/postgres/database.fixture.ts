import postgres from 'postgres'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { LedgerStore } from '../../../src/core/index.ts'
import { createPostgresStore } from '../../../src/stores/postgres/index.ts'
import { type PostgresServer, startPostgres } from '../../setup/postgres-server.ts'

/** One server for a file of tests: each takes a schema of its own. */
export function useDatabase(flags: readonly string[] = []) {
  let server: PostgresServer
  let ledgers = 0
  beforeAll(async () => {
    server = await startPostgres(['-c', 'fsync=off', ...flags])
  })
  afterAll(() => server.remove())

  /** Runs statements as the superuser. */
  async function run(...statements: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const sql = postgres(server.url, { max: 1, onnotice: () => {} })
    try {
      let rows: readonly Readonly<Record<string, unknown>>[] = []
      for (const statement of statements) rows = await sql.unsafe(statement)
      return rows
    } finally {
      await sql.end()
    }
  }

  /** Locks the row of a root, as a transaction that takes long does, until it is released. */
  async function lock(schema: string, root: string) {
    const sql = postgres(server.url, { max: 1, connection: { search_path: schema } })
    onTestFinished(() => sql.end({ timeout: 0 }))
    const connection = await sql.reserve()
    await connection`BEGIN`
    await connection`UPDATE roots SET written = pg_current_xact_id() WHERE id = ${root}`
    return { release: () => connection`COMMIT` }
  }

  return {
    run,
    lock,
    get server() {
      return server
    },
    /** A schema with nothing in it, and its address. */
    async newSchema() {
      const schema = `ledger_${++ledgers}`
      await run(`CREATE SCHEMA ${schema}`)
      return { schema, url: `${server.url}?schema=${schema}` }
    },
    /** The address for another user, or with further parameters. */
    address(schema: string, { user = 'stint', password = 'made-up', parameters = '' } = {}) {
      const url = new URL(server.url)
      return `postgres://${user}:${password}@${url.host}/postgres?schema=${schema}${parameters}`
    },
  }
}

/** A store that is closed when the test ends. */
export function openStoreAt(url: string, options: { readonly busyMs?: number } = {}): LedgerStore {
  const store = createPostgresStore({ url, ...options })
  onTestFinished(() => store.dispose())
  return store
}

/** Opens a scope without limits. */
export function openScope(store: LedgerStore, id: string, parentId: string | null = null) {
  const scope = { id, name: id, kind: 'agent', owner: 'host:1', limits: [] } as const
  return store.open({ parentId, scopes: [scope], atMs: Date.now() })
}

/** Makes a call that is reserved and settled. */
export async function spend(store: LedgerStore, scopeId: string, reservationId: string, tokens = 7): Promise<void> {
  const call = { reservationId, scopeId, amounts: { tokens: 9 }, holder: 'host:1', atMs: Date.now() }
  await store.reserve(call)
  await store.settle({ reservationId, actual: { tokens }, atMs: Date.now() })
}
