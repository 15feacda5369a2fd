import { calcPrice, type ModelPrice as TableRow } from '@pydantic/genai-prices'
import { longCacheWrite, shortCacheWrite } from './cache-write-price.ts'
import type { ModelPrice } from './model-price.ts'
import { picoUsdPerToken } from './pico-usd.ts'
import { dearestPrice, type TieredPrice } from './tiered-price.ts'
import { isTrustedMatch } from './trusted-match.ts'

/** The day on which the installed version of the price package was published. */
export const TABLE_DATE = '2026-09-23'
/** The version that `TABLE_DATE` belongs to; a test compares it with the installed one. */
export const TABLE_VERSION = '0.1.8'

/** Google's grounding, the dearest search with a published price, stands in where none is known. */
export const UNKNOWN_WEB_SEARCH_NANO_USD = 35_000_000
const NANO_USD_PER_THOUSANDTH_USD = 1_000_000
const NO_USAGE = { input_tokens: 0, output_tokens: 0 }

/** A price of the table, and whether it holds for the whole day (some models are cheaper at night). */
export interface TablePrice {
  readonly price: ModelPrice
  readonly isForWholeDay: boolean
}

export interface TableQuery {
  readonly name: string
  readonly provider: string | undefined
  readonly at: Date
  /** Whether the call carries audio, images or video, which some providers price above text. */
  readonly hasMedia: boolean
}

/** The row of the price package for a model at a time, in our form; `null` if it has none. Never throws. */
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
  try {
    const options = provider === undefined ? { timestamp: at } : { timestamp: at, providerId: provider }
    return calcPrice(NO_USAGE, name, options)
  } catch {
    // A row that the package itself cannot read prices nothing.
    return null
  }
}

// The package finds `…-20250514` under `…-2025-05-14` too.
function isAbout(match: Parameters<typeof isTrustedMatch>[0], name: string): boolean {
  return isTrustedMatch(match, name) || isTrustedMatch(match, name.replace(/-(\d{4})(\d{2})(\d{2})(?!\d)/, '-$1-$2-$3'))
}

function hasHours(prices: unknown): boolean {
  return Array.isArray(prices) && prices.some((entry) => entry.constraint?.type === 'time_of_date')
}

function pricesFromRow(row: TableRow, hasMedia: boolean, id: string) {
  const text = priceOf(row, 'input_mtok')
  if (text === null) return null
  const read = priceOf(row, 'cache_read_mtok') ?? text
  const input = hasMedia ? dearest(row, text, ['input_audio_mtok', 'input_image_mtok', 'input_video_mtok']) : text
  const cacheRead = hasMedia ? dearest(row, read, ['cache_audio_read_mtok', 'cache_image_read_mtok']) : read
  // Embedding models have no output price because they have no output.
  const textOutput = priceOf(row, 'output_mtok') ?? text
  // Nobody can say before the answer what it will be, so models that speak or draw have the price of that.
  const output = dearest(row, textOutput, ['output_audio_mtok', 'output_image_mtok', 'output_video_mtok'])
  const isClaude = id.includes('claude')
  // Others bill a write like any input, unless their row says otherwise.
  const cacheWrite = priceOf(row, 'cache_write_mtok') ?? (isClaude ? shortCacheWrite(input) : input)
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    cacheWrite1h: priceOf(row, 'cache_write_1h_mtok') ?? longCacheWrite(input, cacheWrite, isClaude),
    reasoning: priceOf(row, 'output_reasoning_mtok') ?? output,
    cacheWrites: isClaude ? ('marked' as const) : ('automatic' as const),
    fees: {
      requestNanoUsd: feeOf(row, 'requests_kcount') ?? 0,
      webSearchNanoUsd: feeOf(row, 'web_searches_kcount') ?? UNKNOWN_WEB_SEARCH_NANO_USD,
    },
  }
}

function dearest(row: TableRow, price: TieredPrice, keys: readonly string[]): TieredPrice {
  const others = keys.map((key) => priceOf(row, key)).filter((other) => other !== null)
  return dearestPrice(price, ...others)
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

// The table counts fees in USD per thousand.
function feeOf(row: TableRow, key: string): number | null {
  const value = Object.hasOwn(row, key) ? row[key] : undefined
  if (value === undefined) return null
  const usd = typeof value === 'number' ? value : Math.max(value.base, ...value.tiers.map((tier) => tier.price))
  return Math.ceil(usd * NANO_USD_PER_THOUSANDTH_USD)
}
