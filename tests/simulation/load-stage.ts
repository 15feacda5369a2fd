import { loadProduct, type Product } from './product.ts'
import { createPostgresStores } from './program/postgres-stores.ts'
import { createMemoryStores, createSqliteStores, type Stores } from './program/stores.ts'
import { WRITTEN_PRICES } from './provider/prices.ts'
import { SOURCE } from './source-folder.ts'

export const STORE_NAMES = ['memory', 'sqlite', 'postgres'] as const

export type StoreName = (typeof STORE_NAMES)[number]

/** The product, or a variant of it, and stores for its seeds. */
export async function loadStage(store: StoreName, variant = ''): Promise<LoadedStage> {
  const product = await loadProduct(SOURCE, variant, WRITTEN_PRICES)
  const end = async (): Promise<void> => {}
  if (store === 'memory') return { product, stores: createMemoryStores(product), end }
  if (store === 'sqlite') return { product, stores: createSqliteStores(product), end }
  const { startPostgres } = await import('../setup/postgres-server.ts')
  const server = await startPostgres(['-c', 'fsync=off', '-c', 'max_connections=300'])
  return { product, stores: createPostgresStores(product, server.url), end: () => server.remove() }
}

export interface LoadedStage {
  readonly product: Product
  readonly stores: Stores
  /** Ends what was started for the stores. */
  end(): Promise<void>
}
