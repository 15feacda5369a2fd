import { addAmount } from '../../core/amounts/amounts.ts'
import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import { assertCount } from '../call/assert-count.ts'
import { createKindDivider, type DividedTokens } from '../estimate/media/divide-by-kind.ts'
import { MEDIA_KINDS, type MediaCounts, type MediaKind } from '../estimate/media/media-kind.ts'
import { dearestKind, type KindPrices, type MediaPrices } from '../estimate/media/media-prices.ts'
import type { ModelPrice } from '../prices/model-price.ts'
import { nanoUsdOfTokens } from '../prices/pico-usd.ts'
import { type FeeCounts, feesOf } from '../prices/price-fees.ts'
import { priceAt, type TieredPrice } from '../prices/tiered-price.ts'
import { promptTokens, type Usage } from './usage.ts'

/** Facts about a call that its usage doesn't include. */
export interface CostExtras extends FeeCounts {
  /** The part of the prompt that may have been media, for usage that doesn't report kinds. */
  readonly media?: MediaCounts | undefined
}

const EXTRAS = optionNames<CostExtras>({ webSearches: true, fileSearches: true, media: true })

/**
 * The cost of a call, in nano-USD, with each price component rounded up: never below the true price, and less than one
 * nano-USD per component above it; saturates at 2^53 - 1. Reasoning is a separate component only if its price differs.
 */
export function costOf(price: ModelPrice, usage: Usage, extras: CostExtras = {}): number {
  assertKnownOptions('costOf', extras, EXTRAS)
  const { webSearches = 0, fileSearches = 0, media } = extras
  assertCount('webSearches', webSearches)
  assertCount('fileSearches', fileSearches)
  const prompt = promptTokens(usage)
  const components = [
    ...promptComponents(price, usage, media),
    { tokens: usage.cacheWrite1hTokens, tiered: price.cacheWrite1h },
    ...(price.media === undefined
      ? writtenComponents(price, usage, usage.outputTokens, prompt)
      : outputComponents(price, price.media, usage, prompt)),
  ]
  let costNanoUsd = feesOf(price.fees, extras)
  for (const { tokens, tiered } of components) {
    costNanoUsd = addAmount(costNanoUsd, nanoUsdOfTokens(tokens, priceAt(tiered, prompt)))
  }
  return costNanoUsd
}

interface Component {
  readonly tokens: number
  readonly tiered: TieredPrice
}

/** Input, cached reads and short-lived cache writes. */
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

function outputComponents(
  price: ModelPrice,
  { text, ...media }: MediaPrices,
  usage: Usage,
  prompt: number,
): readonly Component[] {
  const told = { audio: usage.audioOutputTokens, image: usage.imageOutputTokens, video: usage.videoOutputTokens }
  const divided = createKindDivider(undefined).divide(usage.outputTokens, told)
  if (divided === null) return writtenComponents(price, usage, usage.outputTokens, prompt)
  const spoken = MEDIA_KINDS.map((kind): Component => ({ tokens: divided[kind], tiered: media[kind].output }))
  return [...spoken, ...writtenComponents(text, usage, divided.text, prompt)]
}

function writtenComponents(
  price: Pick<ModelPrice, 'output' | 'reasoning'>,
  { reasoningTokens }: Usage,
  tokens: number,
  prompt: number,
): readonly Component[] {
  const { output, reasoning } = price
  if (priceAt(output, prompt) === priceAt(reasoning, prompt)) return [{ tokens, tiered: output }]
  const reasoned = Math.min(reasoningTokens, tokens)
  return [
    { tokens: tokens - reasoned, tiered: output },
    { tokens: reasoned, tiered: reasoning },
  ]
}
