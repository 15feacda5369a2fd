import { dearestPrice, mapPrice, type TieredPrice } from '../../prices/tiered-price.ts'
import { MEDIA_KINDS, type MediaKind } from './media-kind.ts'

/** The prices of one kind of token. */
export interface KindPrices {
  readonly input: TieredPrice
  readonly cacheRead: TieredPrice
  readonly cacheWrite: TieredPrice
  readonly output: TieredPrice
}

/** The prices of a model that differ by kind of input or output. */
export interface MediaPrices extends Readonly<Record<MediaKind, KindPrices>> {
  readonly text: KindPrices & { readonly reasoning: TieredPrice }
}

/** Applies `change` to each figure. */
export function mapMediaPrices(prices: MediaPrices, change: (picoUsd: number) => number): MediaPrices {
  const each = ({ input, cacheRead, cacheWrite, output }: KindPrices): KindPrices => ({
    input: mapPrice(input, change),
    cacheRead: mapPrice(cacheRead, change),
    cacheWrite: mapPrice(cacheWrite, change),
    output: mapPrice(output, change),
  })
  const { text, audio, image, video } = prices
  return {
    text: { ...each(text), reasoning: mapPrice(text.reasoning, change) },
    audio: each(audio),
    image: each(image),
    video: each(video),
  }
}

/** The highest price over all kinds, for tokens of an unknown kind. */
export function dearestKind(prices: MediaPrices, field: keyof KindPrices): TieredPrice {
  return dearestPrice(prices.text[field], ...MEDIA_KINDS.map((kind) => prices[kind][field]))
}
