import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import { assertCallFields } from '../call/assert-call-fields.ts'
import { assertChoice } from '../call/assert-choice.ts'
import { dearestOfFamily } from './dearest-of-family.ts'
import { type ModelCandidate, modelCandidates, normalizeModelName } from './model-name.ts'
import { type ModelPrice, scalePrice } from './model-price.ts'
import { InvalidPriceError } from './overrides/invalid-price-error.ts'
import { createOverrides, type Overrides } from './overrides/override-price.ts'
import type { PriceList } from './overrides/price-entry.ts'
import { findSupplementPrice } from './supplement-price.ts'
import { findTablePrice } from './table-price.ts'
import { UNKNOWN_MODELS } from './unknown-models.ts'
import { hasTiers, withTiersLike } from './vendor-tiers.ts'

const MOST_CACHED = 1_000
const DAY_MS = 86_400_000
const NO_PRICES: PriceList = new Map()
const REGIONAL = { numerator: 11, denominator: 10 }
// Its rows have only the price of short prompts.
const BEDROCK = 'aws'

export interface PriceBookOptions {
  /** The user's own prices, as returned by `parsePrices`. They take precedence over all others. */
  readonly overrides?: PriceList
  /** What happens to calls of models without a price. Default: `refuse`. */
  readonly unknownModels?: PriceBook['unknownModels']
  /** The time for price lookups if the caller gives none. */
  readonly now?: () => Date
}

export interface PriceQuery {
  /** The provider's id as in the table (`anthropic`, `openrouter`, …), if known. */
  readonly provider?: string | undefined
  readonly at?: Date | undefined
  /** Whether the call has audio, images or video, which some providers price above text. */
  readonly hasMedia?: boolean | undefined
}

/** Looks up prices. Pure except for its bounded cache. */
export interface PriceBook {
  /**
   * What happens to a call of a model without a price: it is refused, charged at the highest price of its family, or
   * its cost isn't counted.
   */
  readonly unknownModels: 'refuse' | 'estimate' | 'tokens-only'
  /** The price of a model at a time; `null` if unknown. Never throws, whatever the name. */
  find(model: string, query?: PriceQuery): ModelPrice | null
  /** The price to assume for a model without one: the highest of its family, ignoring the user's own prices. */
  estimate(model: string, query?: Omit<PriceQuery, 'provider'>): ModelPrice
}

const OPTIONS = optionNames<PriceBookOptions>({ overrides: true, unknownModels: true, now: true })
// A query is usually a whole call, with fields of its own.
const QUERY = ['provider', 'hasMedia'] as const satisfies readonly (keyof PriceQuery)[]
const OTHERS = ['at', 'media', 'model'] as const

/** A price book: the user's prices, then the table, then our supplement to it. */
export function createPriceBook(options: PriceBookOptions = {}): PriceBook {
  assertKnownOptions('createPriceBook', options, OPTIONS)
  const { overrides = NO_PRICES, unknownModels = 'refuse', now = () => new Date() } = options
  assertChoice({ place: 'Price book', field: 'unknownModels', value: unknownModels, words: UNKNOWN_MODELS })
  assertPriceList(overrides)
  const findListed = createLookUp(findListedPrice, now)
  return {
    unknownModels,
    find: overrides.size === 0 ? findListed : createLookUp(withOverrides(createOverrides(overrides)), now),
    estimate(model, query = {}) {
      assertCallFields(query, QUERY, OTHERS)
      const { hasMedia, at } = query
      const asked = { hasMedia, at: at !== undefined && Number.isNaN(at.getTime()) ? undefined : at }
      return dearestOfFamily(model, (name, provider) => findListed(name, { ...asked, provider }))
    },
  }
}

/** The book without overrides. */
export const DEFAULT_PRICE_BOOK: PriceBook = createPriceBook()

type TimedQuery = PriceQuery & { readonly at: Date }
type FindPrice = (model: string, candidates: readonly ModelCandidate[], query: TimedQuery) => FoundPrice | null

interface FoundPrice {
  readonly price: ModelPrice
  readonly isForWholeDay: boolean
}

function assertPriceList(overrides: unknown): void {
  if (overrides instanceof Map) return
  throw new InvalidPriceError({
    place: 'Price book: overrides',
    value: overrides,
    reason: 'is not a result of parsePrices',
    validForm: 'createPriceBook({ overrides: parsePrices({ "my-model": { input: 3, output: 15 } }) })',
  })
}

/**
 * Caches the results of `find` by day, since prices change at midnight UTC. Prices that change by the hour aren't
 * cached.
 */
function createLookUp(find: FindPrice, now: () => Date): PriceBook['find'] {
  const cache = new Map<string, ModelPrice | null>()
  return (model, query = {}) => {
    assertCallFields(query, QUERY, OTHERS)
    const { provider, hasMedia, at = now() } = query
    const time = at.getTime()
    if (typeof model !== 'string' || Number.isNaN(time)) return null
    const key = `${Math.floor(time / DAY_MS)} ${hasMedia === true} ${provider ?? ''} ${model}`
    const known = cache.get(key)
    if (known !== undefined) return known
    if (normalizeModelName(model) === null) return null
    const found = find(model, modelCandidates(model, provider), { provider, hasMedia, at })
    if (found === null || found.isForWholeDay) keep(cache, key, found?.price ?? null)
    return found?.price ?? null
  }
}

function withOverrides(overrides: Overrides): FindPrice {
  return (model, candidates, query) => {
    const named = overrides.ofName(model, candidates, query.at)
    if (named !== null) return { price: named, isForWholeDay: true }
    const listed = findListedPrice(model, candidates, query)
    const price = listed === null ? null : overrides.ofRow(model, listed.price.matchedModel, query.at)
    return price === null ? listed : { price, isForWholeDay: true }
  }
}

function findListedPrice(model: string, candidates: readonly ModelCandidate[], query: TimedQuery): FoundPrice | null {
  for (const [index, candidate] of candidates.entries()) {
    const found = listedPrice(candidate, model, query)
    if (found === null) continue
    if (found.price.provider !== BEDROCK || hasTiers(found.price)) return found
    const vendor = findListedPrice(model, candidates.slice(index + 1), query)
    return vendor === null ? found : { ...found, price: withTiersLike(found.price, vendor.price) }
  }
  return null
}

function listedPrice(candidate: ModelCandidate, model: string, query: TimedQuery): FoundPrice | null {
  const found = tablePrice(candidate, query) ?? supplementPrice(candidate, query.at)
  if (found === null) return null
  const price = { ...found.price, model }
  return { ...found, price: candidate.isRegional ? scalePrice(price, REGIONAL) : price }
}

function tablePrice(candidate: ModelCandidate, query: TimedQuery): FoundPrice | null {
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

function keep(cache: Map<string, ModelPrice | null>, key: string, price: ModelPrice | null): void {
  if (cache.size >= MOST_CACHED) cache.delete(cache.keys().next().value!)
  cache.set(key, price)
}
