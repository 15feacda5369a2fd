import { parsePrices } from './overrides/parse-prices.ts'
import { entryAt, type PriceEntry, type PriceList } from './overrides/price-entry.ts'
import { SUPPLEMENT } from './supplement.ts'

const DATE_SUFFIX = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/

let parsed: PriceList | undefined

/** The supplement's price of a model, with the name of its entry. Snapshot dates are ignored. */
export function findSupplementPrice(
  name: string,
  at: Date,
): { readonly name: string; readonly entry: PriceEntry } | null {
  parsed ??= parsePrices(SUPPLEMENT, { field: 'SUPPLEMENT' })
  // Versions are written with dots or dashes: `gpt-6.1-sol`, `claude-haiku-5.5`.
  const key = name.replace(/(\d)\.(?=\d)/g, '$1-')
  for (const candidate of [key, key.replace(DATE_SUFFIX, '')]) {
    const entry = entryAt(parsed.get(candidate) ?? [], at)
    if (entry !== null) return { name: candidate, entry }
  }
  return null
}
