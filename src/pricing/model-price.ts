import { type MediaPrices, mapMediaPrices } from './media/media-prices.ts'
import { mapPrice, type TieredPrice } from './tiered-price.ts'

/** What a kind of token costs, for each kind that providers price apart. */
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
  /** A search in files that the provider keeps. Left out: the published one of OpenAI. */
  readonly fileSearchNanoUsd?: number
}

/** Where a price comes from: the price package, our supplement to it, the user, or the dearest of a family. */
export type PriceOrigin = 'table' | 'supplement' | 'override' | 'estimate'

/** What a call of one model costs at one time. Immutable: a call is settled at the price it was reserved at. */
export interface ModelPrice extends TokenPrices {
  /** The name that was asked for. */
  readonly model: string
  /** The row that prices it; another name than `model` where one row stands for several. An estimate has several. */
  readonly matchedModel: string
  readonly provider: string | null
  readonly origin: PriceOrigin
  /** The date of the data, kept with each priced call; `null` where the user gave none. */
  readonly asOf: string | null
  /** Whether cache writes are billed only where the request marks them (Anthropic), or without being asked for. */
  readonly cacheWrites: 'marked' | 'automatic'
  /** Where kinds of input or output have prices of their own. `input` and `output` are the dearest that can be meant. */
  readonly media?: MediaPrices
  readonly fees: PriceFees
  readonly contextWindow: number | null
  readonly maxOutputTokens: number | null
  /** Why the price is what it is, where that is not obvious. */
  readonly note: string | null
}

/** A factor on every price: fast modes, priority tiers and regional endpoints cost a multiple of the list price. */
export interface PriceFactor {
  readonly numerator: number
  readonly denominator: number
}

/** `price` times `factor`, each figure rounded up. Fees stay: providers multiply tokens only. */
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
