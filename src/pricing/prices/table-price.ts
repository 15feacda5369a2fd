import { MEDIA_KINDS, type MediaKind } from '../estimate/media/media-kind.ts'
import { dearestKind, type KindPrices, type MediaPrices } from '../estimate/media/media-prices.ts'
import { longCacheWrite, shortCacheWrite } from './cache-write-price.ts'
import type { ModelPrice } from './model-price.ts'
import { picoUsdPerToken } from './pico-usd.ts'
import { priceTable, type TableRow } from './price-package.ts'
import type { TieredPrice } from './tiered-price.ts'
import { isTrustedMatch } from './trusted-match.ts'

/** The day on which the installed version of the price package was published. */
export const TABLE_DATE = '2026-09-23'
/** The version that `TABLE_DATE` belongs to; a test compares it with the installed one. */
export const TABLE_VERSION = '0.1.8'

/** Google's grounding, the most expensive search with a published price, used if none is known. */
export const UNKNOWN_WEB_SEARCH_NANO_USD = 35_000_000
/** OpenAI's $2.50 per thousand calls of `file_search`, the only published price (looked up 2026-11-17). */
export const FILE_SEARCH_NANO_USD = 2_500_000
const NANO_USD_PER_THOUSANDTH_USD = 1_000_000
const NO_USAGE = { input_tokens: 0, output_tokens: 0 }

/** A price from the table, and whether it holds for the whole day (some models are cheaper at night). */
export interface TablePrice {
  readonly price: ModelPrice
  readonly isForWholeDay: boolean
}

export interface TableQuery {
  readonly name: string
  readonly provider: string | undefined
  readonly at: Date
  /** Whether the call has audio, images or video, which some providers price above text. */
  readonly hasMedia: boolean
}

/**
 * The row of the price package for a model at a time, in our form; `null` if there is none. Never throws, for any name.
 */
export function findTablePrice(query: TableQuery): TablePrice | null {
  const found = lookUp(query)
  if (found === null || !isAbout(found.model.match, query.name)) return null
  const prices = pricesFromRow(found.model_price, query.hasMedia, found.model.id)
  if (prices === null) return null
  return {
    price: {
      ...prices,
      model: query.name,
      matchedModel: found.model.id,
      provider: found.provider.id,
      origin: 'table',
      asOf: TABLE_DATE,
      contextWindow: found.model.context_window ?? null,
      maxOutputTokens: null,
      note: null,
    },
    isForWholeDay: !hasHours(found.model.prices),
  }
}

function lookUp({ name, provider, at }: TableQuery) {
  // Outside the try block: a table that can't be loaded doesn't mean that models have no price.
  const calcPrice = priceTable()
  try {
    const options = provider === undefined ? { timestamp: at } : { timestamp: at, providerId: provider }
    return calcPrice(NO_USAGE, name, options)
  } catch {
    // A row that the package itself can't read has no price.
    return null
  }
}

// The package also finds `…-20250514` under `…-2025-05-14`.
function isAbout(match: Parameters<typeof isTrustedMatch>[0], name: string): boolean {
  return isTrustedMatch(match, name) || isTrustedMatch(match, name.replace(/-(\d{4})(\d{2})(\d{2})(?!\d)/, '-$1-$2-$3'))
}

function hasHours(prices: unknown): boolean {
  return Array.isArray(prices) && prices.some((entry) => entry.constraint?.type === 'time_of_date')
}

function pricesFromRow(row: TableRow, hasMedia: boolean, id: string) {
  const text = priceOf(row, 'input_mtok')
  if (text === null) return null
  const isClaude = id.includes('claude')
  const media = mediaPrices(row, text, isClaude)
  const input = hasMedia && media !== null ? dearestKind(media, 'input') : text
  const read = priceOf(row, 'cache_read_mtok') ?? text
  const cacheRead = hasMedia && media !== null ? dearestKind(media, 'cacheRead') : read
  // The kind of output isn't known before the answer, so models that can speak or draw get that price. Embedding models
  // have no output price because they have no output.
  const output = media === null ? (priceOf(row, 'output_mtok') ?? text) : dearestKind(media, 'output')
  const cacheWrite = shortWrite(row, input, isClaude)
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    cacheWrite1h: priceOf(row, 'cache_write_1h_mtok') ?? longCacheWrite(input, cacheWrite, isClaude),
    reasoning: priceOf(row, 'output_reasoning_mtok') ?? output,
    ...(media === null ? {} : { media }),
    cacheWrites: isClaude ? ('marked' as const) : ('automatic' as const),
    fees: {
      requestNanoUsd: feeOf(row, 'requests_kcount') ?? 0,
      webSearchNanoUsd: feeOf(row, 'web_searches_kcount') ?? UNKNOWN_WEB_SEARCH_NANO_USD,
      fileSearchNanoUsd: feeOf(row, 'storage_searches_kcount') ?? FILE_SEARCH_NANO_USD,
    },
  }
}

// Other providers bill a cache write like any input, unless their row says otherwise.
function shortWrite(row: TableRow, input: TieredPrice, isClaude: boolean): TieredPrice {
  return priceOf(row, 'cache_write_mtok') ?? (isClaude ? shortCacheWrite(input) : input)
}

/** The prices by kind, if the row has one that differs from text; `null` if all are the same. */
function mediaPrices(row: TableRow, textInput: TieredPrice, isClaude: boolean): MediaPrices | null {
  const isPricedApart = MEDIA_KINDS.some((kind) =>
    [`input_${kind}_mtok`, `output_${kind}_mtok`].some((key) => key in row),
  )
  if (!isPricedApart) return null
  const textOutput = priceOf(row, 'output_mtok') ?? textInput
  const textRead = priceOf(row, 'cache_read_mtok') ?? textInput
  const kindPrices = (kind: MediaKind): KindPrices => {
    const own = priceOf(row, `input_${kind}_mtok`)
    const input = own ?? textInput
    return {
      input,
      // If audio has its own price but its cached reads don't, those cost the audio price.
      cacheRead: priceOf(row, `cache_${kind}_read_mtok`) ?? (own === null ? textRead : input),
      cacheWrite: shortWrite(row, input, isClaude),
      output: priceOf(row, `output_${kind}_mtok`) ?? textOutput,
    }
  }
  const text = {
    input: textInput,
    cacheRead: textRead,
    cacheWrite: shortWrite(row, textInput, isClaude),
    output: textOutput,
  }
  return {
    text: { ...text, reasoning: priceOf(row, 'output_reasoning_mtok') ?? textOutput },
    audio: kindPrices('audio'),
    image: kindPrices('image'),
    video: kindPrices('video'),
  }
}

function priceOf(row: TableRow, key: string): TieredPrice | null {
  const value = Object.hasOwn(row, key) ? row[key] : undefined
  if (value === undefined) return null
  if (typeof value === 'number') return { basePicoUsd: picoUsdPerToken(value), tiers: [] }
  const tiers = value.tiers.map((tier) => ({ aboveTokens: tier.start, picoUsd: picoUsdPerToken(tier.price) }))
  return {
    basePicoUsd: picoUsdPerToken(value.base),
    tiers: tiers.sort((left, right) => left.aboveTokens - right.aboveTokens),
  }
}

// The table has fees in USD per thousand.
function feeOf(row: TableRow, key: string): number | null {
  const value = Object.hasOwn(row, key) ? row[key] : undefined
  if (value === undefined) return null
  const usd = typeof value === 'number' ? value : Math.max(value.base, ...value.tiers.map((tier) => tier.price))
  return Math.ceil(usd * NANO_USD_PER_THOUSANDTH_USD)
}
