import type { ModelPrice } from './model-price.ts'

/** A price that stands under a name, from a day on. */
export interface PriceEntry extends Omit<ModelPrice, 'model' | 'matchedModel' | 'origin'> {
  /** The first day it holds, as `YYYY-MM-DD` (UTC); `null`: since ever. */
  readonly from: string | null
}

/** Prices by model name (lower case), each name with its entries from the oldest to the newest. */
export type PriceList = ReadonlyMap<string, readonly PriceEntry[]>

/** The entry that holds at `at`; `null` before the first day of the first. */
export function entryAt(entries: readonly PriceEntry[], at: Date): PriceEntry | null {
  const day = at.toISOString().slice(0, 10)
  return entries.findLast((entry) => entry.from === null || entry.from <= day) ?? null
}
