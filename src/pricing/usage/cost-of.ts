import { addAmount } from '../../core/amounts/amounts.ts'
import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import { type CallCosts, totalOf } from '../../core/ports/call-costs.ts'
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
  return totalOf(costsOf(price, usage, extras))
}

/** The cost of a call by what it was for. */
export function costsOf(price: ModelPrice, usage: Usage, extras: CostExtras): CallCosts {
  const { webSearches = 0, fileSearches = 0, media } = extras
  assertCount('webSearches', webSearches)
  assertCount('fileSearches', fileSearches)
  const prompt = promptTokens(usage)
  const components = [
    ...promptComponents(price, usage, media),
    { part: 'cacheWrite', tokens: usage.cacheWrite1hTokens, tiered: price.cacheWrite1h },
    ...(price.media === undefined
      ? writtenComponents(price, usage, usage.outputTokens, prompt)
      : outputComponents(price, price.media, usage, prompt)),
  ] as const
  const costs = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, thinking: 0, fees: feesOf(price.fees, extras) }
  for (const { part, tokens, tiered } of components) {
    costs[part] = addAmount(costs[part], nanoUsdOfTokens(tokens, priceAt(tiered, prompt)))
  }
  if (usage.reasoningTokens > 0) divideOutput(price, usage, prompt, costs)
  return costs
}

/** Reasoning at the price of other output is not a component of its own: its part of them is taken out. */
function divideOutput(
  { output, reasoning }: ModelPrice,
  { reasoningTokens, outputTokens }: Usage,
  prompt: number,
  costs: { output: number; thinking: number },
): void {
  if (priceAt(output, prompt) !== priceAt(reasoning, prompt)) return
  const reasoned = Math.min(reasoningTokens, outputTokens)
  costs.thinking = Math.min(costs.output, nanoUsdOfTokens(reasoned, priceAt(output, prompt)))
  costs.output -= costs.thinking
}

interface Component {
  readonly part: 'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'thinking'
  readonly tokens: number
  readonly tiered: TieredPrice
}

/** Input, cached reads and short-lived cache writes. */
function promptComponents(price: ModelPrice, usage: Usage, media: MediaCounts | undefined): readonly Component[] {
  const undivided = {
    input: { part: 'input', tokens: usage.inputTokens, tiered: price.input },
    cacheWrite: { part: 'cacheWrite', tokens: usage.cacheWriteTokens, tiered: price.cacheWrite },
    cacheRead: { part: 'cacheRead', tokens: usage.cacheReadTokens, tiered: price.cacheRead },
  } as const
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
    ...kinds.map((kind) => ({ part: field, tokens: divided[kind], tiered: prices[kind][field] })),
    { part: field, tokens: divided.other, tiered: dearestKind(prices, field) },
  ]
}

function outputComponents(
  price: ModelPrice,
  { text, ...media }: MediaPrices,
  usage: Usage,
  prompt: number,
): readonly Component[] {
  const reported = { audio: usage.audioOutputTokens, image: usage.imageOutputTokens, video: usage.videoOutputTokens }
  const divided = createKindDivider(undefined).divide(usage.outputTokens, reported)
  if (divided === null) return writtenComponents(price, usage, usage.outputTokens, prompt)
  const spoken = MEDIA_KINDS.map((kind): Component => {
    return { part: 'output', tokens: divided[kind], tiered: media[kind].output }
  })
  return [...spoken, ...writtenComponents(text, usage, divided.text, prompt)]
}

function writtenComponents(
  price: Pick<ModelPrice, 'output' | 'reasoning'>,
  { reasoningTokens }: Usage,
  tokens: number,
  prompt: number,
): readonly Component[] {
  const { output, reasoning } = price
  if (priceAt(output, prompt) === priceAt(reasoning, prompt)) return [{ part: 'output', tokens, tiered: output }]
  const reasoned = Math.min(reasoningTokens, tokens)
  return [
    { part: 'output', tokens: tokens - reasoned, tiered: output },
    { part: 'thinking', tokens: reasoned, tiered: reasoning },
  ]
}
