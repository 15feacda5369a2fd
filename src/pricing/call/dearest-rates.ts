import { addAmount } from '../../core/amounts/amounts.ts'
import { MEDIA_KINDS, type MediaCounts } from '../estimate/media/media-kind.ts'
import { dearestKind, type KindPrices, type MediaPrices } from '../estimate/media/media-prices.ts'
import type { ModelPrice } from '../prices/model-price.ts'
import { nanoUsdOfTokens } from '../prices/pico-usd.ts'
import { isSamePrice, pricesUpTo, type TieredPrice } from '../prices/tiered-price.ts'
import type { CacheMark } from './cache-mark.ts'

const PICO_PER_NANO = 1000

/** The highest prices that one request can incur. */
export interface DearestRates {
  /**
   * The whole prompt. Settlement rounds up each component, the worst case only the sum, so the possible difference is
   * included. It is almost always 0, since most prices are whole nano-USD per token.
   */
  readonly inputNanoUsd: number
  readonly outputPicoUsd: number
}

export interface RatesQuestion {
  readonly inputTokens: number
  readonly cacheMark: CacheMark
  /** The part of the prompt that may be media. Default: whatever `price` is for. */
  readonly media?: MediaCounts | undefined
}

/** The highest prices for a prompt of up to `inputTokens` tokens with this cache mark. */
export function dearestRates(price: ModelPrice, question: RatesQuestion): DearestRates {
  const { inputTokens, cacheMark, media } = question
  if (price.media !== undefined && media !== undefined) return dearestByKind(price, price.media, media, question)
  const brackets = BRACKETS.get(price)?.[cacheMark] ?? bracketsOf(price, cacheMark)
  let last = brackets[0]!
  for (const bracket of brackets) if (inputTokens > bracket.aboveTokens) last = bracket
  const { inputPicoUsd, outputPicoUsd, roundingNanoUsd } = last
  return { inputNanoUsd: addAmount(nanoUsdOfTokens(inputTokens, inputPicoUsd), roundingNanoUsd), outputPicoUsd }
}

/** The highest prices for prompts longer than this, up to the next bracket. */
interface Bracket {
  readonly aboveTokens: number
  readonly inputPicoUsd: number
  readonly outputPicoUsd: number
  readonly roundingNanoUsd: number
}

// A price book reuses its prices, and every call looks them up.
const BRACKETS = new WeakMap<ModelPrice, Partial<Record<CacheMark, readonly Bracket[]>>>()

function bracketsOf(price: ModelPrice, cacheMark: CacheMark): readonly Bracket[] {
  const inputs = inputPrices(price, price, cacheMark)
  const outputs = outputPrices(price)
  const thresholds = [...inputs, ...outputs].flatMap(({ tiers }) => tiers.map(({ aboveTokens }) => aboveTokens))
  const starts = [-1, ...thresholds.toSorted((left, right) => left - right)]
  const brackets = starts.map((aboveTokens): Bracket => {
    const input = dearestOf(inputs, aboveTokens + 1)
    const output = dearestOf(outputs, aboveTokens + 1)
    const roundingNanoUsd = input.roundingNanoUsd + output.roundingNanoUsd
    return { aboveTokens, inputPicoUsd: input.picoUsd, outputPicoUsd: output.picoUsd, roundingNanoUsd }
  })
  BRACKETS.set(price, { ...BRACKETS.get(price), [cacheMark]: brackets })
  return brackets
}

function dearestByKind(
  price: ModelPrice,
  prices: MediaPrices,
  media: MediaCounts,
  { inputTokens, cacheMark }: RatesQuestion,
): DearestRates {
  const output = dearestOf(outputPrices(price), inputTokens)
  let inputNanoUsd = output.roundingNanoUsd
  for (const { tokens, prices: ofKind } of inputKinds(prices, media, inputTokens)) {
    const { picoUsd, roundingNanoUsd } = dearestOf(inputPrices(price, ofKind, cacheMark), inputTokens)
    inputNanoUsd = addAmount(inputNanoUsd, nanoUsdOfTokens(tokens, picoUsd) + roundingNanoUsd)
  }
  return { inputNanoUsd, outputPicoUsd: output.picoUsd }
}

interface InputKind {
  readonly tokens: number
  readonly prices: Pick<KindPrices, 'input' | 'cacheRead' | 'cacheWrite'>
}

/** The prompt by kind, with as much media as possible. Tokens of an unknown kind cost as much as the most expensive. */
function inputKinds(prices: MediaPrices, media: MediaCounts, inputTokens: number): readonly InputKind[] {
  let left = inputTokens
  const take = (wanted: number): number => {
    const taken = Math.min(left, wanted)
    left -= taken
    return taken
  }
  // Most expensive first, so that if more is named than there is, the expensive kinds count.
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
  // Rounding up n components exceeds the exact sum by less than n, and the rounded sum by at most n - 1.
  return { picoUsd, roundingNanoUsd: Math.max(0, rounding - 1) }
}

// Cached reads aren't requested: providers do them on their own. Neither are automatic cache writes.
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
