import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadProduct, type Product } from './product.ts'
import { createMemoryStores, createSqliteStores, type Stores } from './program/stores.ts'
import { WRITTEN_PRICES } from './provider/prices.ts'

export const STORE_NAMES = ['memory', 'sqlite'] as const

export type StoreName = (typeof STORE_NAMES)[number]

/** The source of the product as it is. */
export const SOURCE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src')

/** The product, or a variant of it, and stores for its seeds. */
export async function loadStage(
  store: StoreName,
  variant = '',
): Promise<{ readonly product: Product; readonly stores: Stores }> {
  const product = await loadProduct(SOURCE, variant, WRITTEN_PRICES)
  return { product, stores: store === 'sqlite' ? createSqliteStores(product) : createMemoryStores(product) }
}
