import { type MediaPrices, mapMediaPrices } from '../estimate/media/media-prices.ts'
import { mapPrice, type TieredPrice } from './tiered-price.ts'

/** The price of each kind of token that providers price separately. */
export interface TokenPrices {
  readonly input: TieredPrice
  readonly output: TieredPrice
  readonly cacheRead: TieredPrice
  readonly cacheWrite: TieredPrice
  readonly cacheWrite1h: TieredPrice
  readonly reasoning: TieredPrice
}

/** What a provider charges besides tokens, in nano-USD each. */
export interface PriceFees {
  readonly requestNanoUsd: number
  readonly webSearchNanoUsd: number
  /** A search in files stored with the provider. Default: OpenAI's published fee. */
  readonly fileSearchNanoUsd?: number
}

/** Where a price comes from: the price package, our supplement to it, the user, or the most expensive of a family. */
export type PriceOrigin = 'table' | 'supplement' | 'override' | 'estimate'

/** The price of calls to one model at one time. Immutable: a call is settled at the price it was reserved at. */
export interface ModelPrice extends TokenPrices {
  /** The requested name. */
  readonly model: string
  /** The row with the price; differs from `model` if one row covers several names. An estimate has several. */
  readonly matchedModel: string
  readonly provider: string | null
  readonly origin: PriceOrigin
  /** The date of the data, stored with each priced call; `null` if the user gave none. */
  readonly asOf: string | null
  /** Whether cache writes are billed only if the request marks them (Anthropic), or always. */
  readonly cacheWrites: 'marked' | 'automatic'
  /**
   * Set if kinds of input or output have prices of their own. `input` and `output` are then the highest that may apply.
   */
  readonly media?: MediaPrices
  readonly fees: PriceFees
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  /** An explanation, if the price isn't obvious. */
  readonly note: string | null
}

/** Where a price came from, in one line: `table claude-sonnet-4-5 2026-11-01`. */
export function describePrice({ origin, matchedModel, asOf }: ModelPrice): string {
  return asOf === null ? `${origin} ${matchedModel}` : `${origin} ${matchedModel} ${asOf}`
}

/** A factor on every price: fast modes, priority tiers and regional endpoints cost a multiple of the list price. */
export interface PriceFactor {
  readonly numerator: number
  readonly denominator: number
}

/** `price` times `factor`, each figure rounded up. Fees don't change: providers multiply only token prices. */
export function scalePrice<Prices extends TokenPrices & Pick<ModelPrice, 'media'>>(
  price: Prices,
  factor: PriceFactor,
): Prices {
  const scale = (picoUsd: number) => Math.ceil((picoUsd * factor.numerator) / factor.denominator)
  return {
    ...price,
    input: mapPrice(price.input, scale),
    output: mapPrice(price.output, scale),
    cacheRead: mapPrice(price.cacheRead, scale),
    cacheWrite: mapPrice(price.cacheWrite, scale),
    cacheWrite1h: mapPrice(price.cacheWrite1h, scale),
    reasoning: mapPrice(price.reasoning, scale),
    ...(price.media === undefined ? {} : { media: mapMediaPrices(price.media, scale) }),
  }
}
