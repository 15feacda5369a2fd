import type { CalcPrice } from '../../pricing/prices/price-package.ts'
import { loadPrices } from './lazy-packages.ts'

/** Replaces `src/pricing/prices/price-package.ts`. */
export function priceTable(): CalcPrice {
  return loadPrices().calcPrice
}
