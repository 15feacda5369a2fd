import type { CacheMark } from './cache-mark.ts'
import { MEDIA_KINDS, type MediaCounts } from './media/media-kind.ts'
import { dearestKind, type KindPrices } from './media/media-prices.ts'
import type { ModelPrice } from './model-price.ts'
import { isSamePrice, pricesUpTo, type TieredPrice } from './tiered-price.ts'

const PICO_PER_NANO = 1000

/** Tokens of a prompt, and the dearest that each can cost. */
export interface DearestInput {
  readonly tokens: number
  readonly picoUsd: number
}

/** The dearest that one request can incur. */
export interface DearestRates {
  /** The whole prompt: one entry, or one for each kind where kinds have prices of their own. */
  readonly input: readonly DearestInput[]
  readonly outputPicoUsd: number
  /**
   * Settlement rounds each component up by itself, the worst case all of them at once: so many nano-USD lie between.
   * Nearly always 0, since most prices are whole nano-USD per token.
   */
  readonly roundingNanoUsd: number
}

export interface RatesQuestion {
  readonly inputTokens: number
  readonly cacheMark: CacheMark
  /** What of the prompt may be media. Left out: what `price` is for. */
  readonly media?: MediaCounts | undefined
}

/** The dearest prices for a prompt of up to `inputTokens` tokens with this cache mark. */
export function dearestRates(price: ModelPrice, question: RatesQuestion): DearestRates {
  const { inputTokens, cacheMark } = question
  const inputs = inputKinds(price, question).map(({ tokens, prices }) => ({
    tokens,
    ...dearestOf(inputPrices(price, prices, cacheMark), inputTokens),
  }))
  const output = dearestOf(outputPrices(price), inputTokens)
  return {
    input: inputs,
    outputPicoUsd: output.picoUsd,
    roundingNanoUsd: inputs.reduce((sum, { roundingNanoUsd }) => sum + roundingNanoUsd, output.roundingNanoUsd),
  }
}

interface InputKind {
  readonly tokens: number
  readonly prices: Pick<KindPrices, 'input' | 'cacheRead' | 'cacheWrite'>
}

/** The prompt by kinds, as much of it media as may be. What may be of any kind is as dear as the dearest. */
function inputKinds(price: ModelPrice, { inputTokens, media }: RatesQuestion): readonly InputKind[] {
  const { media: prices } = price
  if (prices === undefined || media === undefined) return [{ tokens: inputTokens, prices: price }]
  let left = inputTokens
  const take = (wanted: number): number => {
    const taken = Math.min(left, wanted)
    left -= taken
    return taken
  }
  // From the dearest on, so that where more is named than there is, the dear ones count.
  const kinds = MEDIA_KINDS.toSorted(
    (first, second) => prices[second].input.basePicoUsd - prices[first].input.basePicoUsd,
  )
  const divided = kinds.map((kind): InputKind => ({ tokens: take(media[kind] ?? 0), prices: prices[kind] }))
  const anyKind = {
    input: dearestKind(prices, 'input'),
    cacheRead: dearestKind(prices, 'cacheRead'),
    cacheWrite: dearestKind(prices, 'cacheWrite'),
  }
  const other = { tokens: take(media.other ?? 0), prices: anyKind }
  return [...divided, other, { tokens: left, prices: prices.text }]
}

// Loops: it is on the way of every call.
function dearestOf(
  components: readonly TieredPrice[],
  inputTokens: number,
): { readonly picoUsd: number; readonly roundingNanoUsd: number } {
  let picoUsd = 0
  let rounding = 0
  for (const component of components) {
    let rounds = false
    for (const price of pricesUpTo(component, inputTokens)) {
      picoUsd = Math.max(picoUsd, price)
      rounds ||= price % PICO_PER_NANO !== 0
    }
    if (rounds) rounding++
  }
  // n components that round lie less than n above the exact sum, so at most n - 1 above the rounded one.
  return { picoUsd, roundingNanoUsd: Math.max(0, rounding - 1) }
}

// A cached read is never asked for: providers do it by themselves. Nor are writes, where they are automatic.
function inputPrices(
  { cacheWrite1h, cacheWrites }: ModelPrice,
  { input, cacheRead, cacheWrite }: InputKind['prices'],
  cacheMark: CacheMark,
): readonly TieredPrice[] {
  const always = [input, cacheRead]
  if (cacheMark === '1h') return [...always, cacheWrite, cacheWrite1h]
  return cacheMark === '5m' || cacheWrites === 'automatic' ? [...always, cacheWrite] : always
}

function outputPrices(price: ModelPrice): readonly TieredPrice[] {
  return isSamePrice(price.reasoning, price.output) ? [price.output] : [price.output, price.reasoning]
}
