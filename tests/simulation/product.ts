import { pathToFileURL } from 'node:url'
import type { Clock, LedgerStore, Random } from '../../src/core/index.ts'
import type { Governor, GovernorOptions } from '../../src/governor/index.ts'

/** What a seed needs of the product, as it is or with a bug planted in it. */
export interface Product {
  createGovernor(options: GovernorOptions): Governor
  createMemoryStore(): LedgerStore
  createSqliteStore(options: SqliteOptions): LedgerStore
  createPostgresStore(options: PostgresOptions): LedgerStore
  verifyLedger(file: string): { readonly ok: boolean; readonly problems: readonly unknown[] }
  readonly prices: NonNullable<GovernorOptions['prices']>
  storeError(message: string): Error
  /** The code of an error of the product; `null` where it is not one. */
  codeOf(error: unknown): string | null
}

interface PostgresOptions {
  readonly url: string
  readonly connections: number
  readonly clock: Clock
  readonly serverTime: () => number
}

interface SqliteOptions {
  readonly file: string
  readonly clock: Clock
  readonly random: Random
  readonly schedule: (callback: () => void) => void
  /** In virtual time nothing happens beside it. */
  readonly sync: 'within'
}

/** Loads the product from its source; `variant` is what a planted bug adds to the address of each module. */
export async function loadProduct(
  folder: string,
  variant: string,
  writtenPrices: Readonly<Record<string, unknown>>,
): Promise<Product> {
  const load = (path: string) => import(pathToFileURL(`${folder}/${path}`).href + variant)
  const [core, governor, memory, sqlite, postgres, verify, pricing] = await Promise.all([
    load('core/index.ts') as Promise<typeof import('../../src/core/index.ts')>,
    load('governor/index.ts') as Promise<typeof import('../../src/governor/index.ts')>,
    load('stores/memory/index.ts') as Promise<typeof import('../../src/stores/memory/index.ts')>,
    load('stores/sqlite/create-sqlite-store.ts') as Promise<
      typeof import('../../src/stores/sqlite/create-sqlite-store.ts')
    >,
    load('stores/postgres/create-postgres-store.ts') as Promise<
      typeof import('../../src/stores/postgres/create-postgres-store.ts')
    >,
    load('stores/sqlite/verify/verify-ledger.ts') as Promise<
      typeof import('../../src/stores/sqlite/verify/verify-ledger.ts')
    >,
    load('pricing/index.ts') as Promise<typeof import('../../src/pricing/index.ts')>,
  ])
  return {
    createGovernor: governor.createGovernor,
    createMemoryStore: memory.createMemoryStore,
    createSqliteStore: sqlite.createSqliteStore,
    createPostgresStore: postgres.createPostgresStore,
    verifyLedger: verify.verifyLedger,
    prices: pricing.createPriceBook({ overrides: pricing.parsePrices(writtenPrices) }),
    storeError: (message) => new core.StintError('store_unavailable', message, { retryable: true }),
    codeOf: (error) => (core.isStintError(error) ? error.code : null),
  }
}
