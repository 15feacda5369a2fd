import { type ModelCandidate, normalizeModelName } from '../model-name.ts'
import type { ModelPrice } from '../model-price.ts'
import { entryAt, type PriceList } from './price-entry.ts'

const SNAPSHOT_SUFFIX = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest|default)$/

/** The user's prices, found under every spelling of a name. */
export interface Overrides {
  /** By the requested name: as written, then without its date, then with dots and dashes treated alike. */
  ofName(model: string, candidates: readonly ModelCandidate[], at: Date): ModelPrice | null
  /** By the row of the table or the supplement that has the name. */
  ofRow(model: string, row: string, at: Date): ModelPrice | null
}

/** Prepares the user's prices for lookups. */
export function createOverrides(prices: PriceList): Overrides {
  const byDashedName: PriceList = new Map([...prices].map(([name, entries]) => [withDashes(name), entries]))
  const priceUnder = (model: string, names: readonly string[], at: Date): ModelPrice | null => {
    const forms = [
      ...names.map((name) => [name, prices] as const),
      ...names.map((name) => [withDashes(name), byDashedName] as const),
    ]
    for (const [name, list] of forms) {
      const entry = entryAt(list.get(name) ?? [], at)
      if (entry === null) continue
      const { from: _, ...price } = entry
      return { ...price, model, matchedModel: name, origin: 'override' }
    }
    return null
  }
  return {
    ofName(model, candidates, at) {
      const names = [normalizeModelName(model)!, ...candidates.map((candidate) => candidate.name)]
      return priceUnder(model, [...names, ...names.map((name) => name.replace(SNAPSHOT_SUFFIX, ''))], at)
    },
    ofRow: (model, row, at) => priceUnder(model, [row.toLowerCase()], at),
  }
}

// Versions are written `4.5` and `4-5`.
function withDashes(name: string): string {
  return name.replace(/(\d)\.(?=\d)/g, '$1-')
}
