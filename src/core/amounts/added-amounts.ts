import { COUNTER_METERS } from '../meter.ts'
import { type Amounts, addAmount } from './amounts.ts'

/** Two sets of amounts, meter by meter. */
export function addedAmounts(left: Amounts, right: Amounts): Amounts {
  const meters = COUNTER_METERS.filter((meter) => left[meter] !== undefined || right[meter] !== undefined)
  return Object.fromEntries(meters.map((meter) => [meter, addAmount(left[meter] ?? 0, right[meter] ?? 0)]))
}
