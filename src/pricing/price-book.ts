import { type ModelCandidate, modelCandidates, normalizeModelName } from './model-name.ts'
import { type ModelPrice, scalePrice } from './model-price.ts'
import { entryAt, type PriceList } from './price-entry.ts'
import { findSupplementPrice } from './supplement-price.ts'
import { findTablePrice } from './table-price.ts'
import type { UnknownModels } from './unknown-models.ts'

const MOST_CACHED = 1_000
const DAY_MS = 86_400_000
const NO_PRICES: PriceList = new Map()
const REGIONAL = { numerator: 11, denominator: 10 }

export interface PriceBookOptions {
  /** The user's own prices, as `parsePrices` gives them. They win over every other. */
  readonly overrides?: PriceList
  /** What happens to calls of models without a price; `refuse` unless told. */
  readonly unknownModels?: UnknownModels
  /** The time that prices are looked up for where the caller names none. */
  readonly now?: () => Date
}

export interface PriceQuery {
  /** The provider's id as in the table (`anthropic`, `openrouter`, …), where the caller knows it. */
  readonly provider?: string | undefined
  readonly at?: Date | undefined
  /** Whether the call carries audio, images or video, which some providers price above text. */
  readonly hasMedia?: boolean | undefined
}

/** Looks prices up. Pure but for its bounded cache. */
export interface PriceBook {
  readonly unknownModels: UnknownModels
  /** The price of a model at a time; `null` if nobody knows it. Never throws, whatever the name. */
  find(model: string, query?: PriceQuery): ModelPrice | null
}

/** A price book: the user's prices, then the table, then our supplement to it. */
export function createPriceBook(options: PriceBookOptions = {}): PriceBook {
  const { overrides = NO_PRICES, unknownModels = 'refuse', now = () => new Date() } = options
  // By day, since prices change at midnight UTC; those that change by the hour are not kept.
  const cache = new Map<string, ModelPrice | null>()
  return {
    unknownModels,
    find(model, query = {}) {
      const at = query.at ?? now()
      if (normalizeModelName(model) === null || Number.isNaN(at.getTime())) return null
      const day = Math.floor(at.getTime() / DAY_MS)
      const key = `${day} ${query.hasMedia === true} ${query.provider ?? ''} ${model}`
      const known = cache.get(key)
      if (known !== undefined) return known
      const found = findPrice(overrides, model, { ...query, at })
      if (found === null || found.isForWholeDay) keep(cache, key, found?.price ?? null)
      return found?.price ?? null
    },
  }
}

/** The book without overrides, for callers who have none. */
export const DEFAULT_PRICE_BOOK: PriceBook = createPriceBook()

interface FoundPrice {
  readonly price: ModelPrice
  readonly isForWholeDay: boolean
}

function findPrice(overrides: PriceList, model: string, query: PriceQuery & { readonly at: Date }): FoundPrice | null {
  const candidates = modelCandidates(model, query.provider)
  return (
    overridePrice(overrides, model, candidates, query.at) ??
    firstOf(candidates, (candidate) => listedPrice(candidate, model, query))
  )
}

function overridePrice(
  overrides: PriceList,
  model: string,
  candidates: readonly ModelCandidate[],
  at: Date,
): FoundPrice | null {
  const names = [normalizeModelName(model)!, ...candidates.map((candidate) => candidate.name)]
  return firstOf(names, (name) => {
    const entry = entryAt(overrides.get(name) ?? [], at)
    if (entry === null) return null
    const { from: _, ...price } = entry
    return { price: { ...price, model, matchedModel: name, origin: 'override' }, isForWholeDay: true }
  })
}

function listedPrice(
  candidate: ModelCandidate,
  model: string,
  query: PriceQuery & { readonly at: Date },
): FoundPrice | null {
  const found = tablePrice(candidate, query) ?? supplementPrice(candidate, query.at)
  if (found === null) return null
  const price = { ...found.price, model }
  return { ...found, price: candidate.isRegional ? scalePrice(price, REGIONAL) : price }
}

function tablePrice(candidate: ModelCandidate, query: PriceQuery & { readonly at: Date }): FoundPrice | null {
  return findTablePrice({
    name: candidate.name,
    provider: candidate.provider,
    at: query.at,
    hasMedia: query.hasMedia ?? false,
  })
}

function supplementPrice(candidate: ModelCandidate, at: Date): FoundPrice | null {
  const found = findSupplementPrice(candidate.name, at)
  if (found === null) return null
  const { from: _, ...price } = found.entry
  return {
    price: { ...price, model: candidate.name, matchedModel: found.name, origin: 'supplement' },
    isForWholeDay: true,
  }
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}

function keep(cache: Map<string, ModelPrice | null>, key: string, price: ModelPrice | null): void {
  if (cache.size >= MOST_CACHED) cache.delete(cache.keys().next().value!)
  cache.set(key, price)
}
