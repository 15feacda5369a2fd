import type { ModelPrice } from '../model-price.ts'

/** A written price under a name, from a certain day. */
export interface PriceEntry extends Omit<ModelPrice, 'model' | 'matchedModel' | 'origin'> {
  /** The first day it applies, as `YYYY-MM-DD` (UTC); `null`: always. */
  readonly from: string | null
}

/** Prices by model name (lower case), each with its entries from oldest to newest. */
export type PriceList = ReadonlyMap<string, readonly PriceEntry[]>

/** The entry that applies at `at`; `null` before the first day of the first. */
export function entryAt(entries: readonly PriceEntry[], at: Date): PriceEntry | null {
  const day = at.toISOString().slice(0, 10)
  return entries.findLast((entry) => entry.from === null || entry.from <= day) ?? null
}
