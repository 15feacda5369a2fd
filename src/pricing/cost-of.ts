import { addAmount } from '../core/amounts.ts'
import { assertKnownOptions, optionNames } from '../core/assert-known-options.ts'
import { assertCount } from './assert-count.ts'
import { createKindDivider, type DividedTokens } from './media/divide-by-kind.ts'
import { MEDIA_KINDS, type MediaCounts, type MediaKind } from './media/media-kind.ts'
import { dearestKind, type KindPrices, type MediaPrices } from './media/media-prices.ts'
import type { ModelPrice } from './model-price.ts'
import { nanoUsdOfTokens } from './pico-usd.ts'
import { type FeeCounts, feesOf } from './price-fees.ts'
import { priceAt, type TieredPrice } from './tiered-price.ts'
import { promptTokens, type Usage } from './usage.ts'

/** What a usage does not say of the call that it is of. */
export interface CostExtras extends FeeCounts {
  /** What of the prompt may have been media, for usage that does not tell kinds apart. */
  readonly media?: MediaCounts | undefined
}

const EXTRAS = optionNames<CostExtras>({ webSearches: true, fileSearches: true, media: true })

/**
 * What a call cost, in nano-USD, each price component rounded up by itself: never below the true price, and less than
 * one nano-USD above it per component; saturates at 2^53 - 1. Reasoning is a component of its own only where its price differs.
 */
export function costOf(price: ModelPrice, usage: Usage, extras: CostExtras = {}): number {
  assertKnownOptions('costOf', extras, EXTRAS)
  const { webSearches = 0, fileSearches = 0, media } = extras
  assertCount('webSearches', webSearches)
  assertCount('fileSearches', fileSearches)
  const prompt = promptTokens(usage)
  const at = (tokens: number, tiered: TieredPrice) => nanoUsdOfTokens(tokens, priceAt(tiered, prompt))
  const components = [
    ...promptComponents(price, usage, media).map(({ tokens, tiered }) => at(tokens, tiered)),
    at(usage.cacheWrite1hTokens, price.cacheWrite1h),
    ...outputComponents(price, usage, prompt),
    feesOf(price.fees, extras),
  ]
  return components.reduce(addAmount, 0)
}

interface Component {
  readonly tokens: number
  readonly tiered: TieredPrice
}

/** What was read, plainly or from a cache, and what was written to one for a short time. */
function promptComponents(price: ModelPrice, usage: Usage, media: MediaCounts | undefined): readonly Component[] {
  const undivided = {
    input: { tokens: usage.inputTokens, tiered: price.input },
    cacheWrite: { tokens: usage.cacheWriteTokens, tiered: price.cacheWrite },
    cacheRead: { tokens: usage.cacheReadTokens, tiered: price.cacheRead },
  }
  const { media: prices } = price
  if (prices === undefined) return [undivided.input, undivided.cacheRead, undivided.cacheWrite]
  const divider = createKindDivider(media)
  const plain = divider.divide(usage.inputTokens, {
    audio: usage.audioInputTokens,
    image: usage.imageInputTokens,
    video: usage.videoInputTokens,
  })
  const written = divider.divide(usage.cacheWriteTokens, {})
  const cached = divider.divide(usage.cacheReadTokens, {
    audio: usage.audioCacheReadTokens,
    image: usage.imageCacheReadTokens,
    video: usage.videoCacheReadTokens,
  })
  return [
    ...componentsOf(plain, prices, 'input', undivided.input),
    ...componentsOf(written, prices, 'cacheWrite', undivided.cacheWrite),
    ...componentsOf(cached, prices, 'cacheRead', undivided.cacheRead),
  ]
}

function componentsOf(
  divided: DividedTokens,
  prices: MediaPrices,
  field: keyof KindPrices,
  undivided: Component,
): readonly Component[] {
  if (divided === null) return [undivided]
  const kinds: readonly (MediaKind | 'text')[] = ['text', ...MEDIA_KINDS]
  return [
    ...kinds.map((kind) => ({ tokens: divided[kind], tiered: prices[kind][field] })),
    { tokens: divided.other, tiered: dearestKind(prices, field) },
  ]
}

function outputComponents(price: ModelPrice, usage: Usage, prompt: number): readonly number[] {
  const told = { audio: usage.audioOutputTokens, image: usage.imageOutputTokens, video: usage.videoOutputTokens }
  const divided = price.media === undefined ? null : createKindDivider(undefined).divide(usage.outputTokens, told)
  if (price.media === undefined || divided === null) return writtenComponents(price, usage, usage.outputTokens, prompt)
  const { text, ...media } = price.media
  const spoken = MEDIA_KINDS.map((kind) => nanoUsdOfTokens(divided[kind], priceAt(media[kind].output, prompt)))
  return [...spoken, ...writtenComponents(text, usage, divided.text, prompt)]
}

function writtenComponents(
  price: Pick<ModelPrice, 'output' | 'reasoning'>,
  { reasoningTokens }: Usage,
  tokens: number,
  prompt: number,
): readonly number[] {
  const output = priceAt(price.output, prompt)
  const reasoning = priceAt(price.reasoning, prompt)
  if (output === reasoning) return [nanoUsdOfTokens(tokens, output)]
  const reasoned = Math.min(reasoningTokens, tokens)
  return [nanoUsdOfTokens(tokens - reasoned, output), nanoUsdOfTokens(reasoned, reasoning)]
}
