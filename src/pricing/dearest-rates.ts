import type { CacheMark } from './cache-mark.ts'
import type { ModelPrice } from './model-price.ts'
import { isSamePrice, pricesUpTo, type TieredPrice } from './tiered-price.ts'

const PICO_PER_NANO = 1000

/** The dearest that one request can incur. */
export interface DearestRates {
  readonly inputPicoUsd: number
  readonly outputPicoUsd: number
  /**
   * Settlement rounds each component up by itself, the worst case all of them at once: so many nano-USD lie between.
   * Nearly always 0, since most prices are whole nano-USD per token.
   */
  readonly roundingNanoUsd: number
}

/** The dearest prices for a prompt of up to `inputTokens` tokens with this cache mark. */
export function dearestRates(price: ModelPrice, inputTokens: number, cacheMark: CacheMark): DearestRates {
  const inputs = inputPrices(price, cacheMark).map((tiered) => pricesUpTo(tiered, inputTokens))
  const outputs = outputPrices(price).map((tiered) => pricesUpTo(tiered, inputTokens))
  return {
    inputPicoUsd: Math.max(...inputs.flat()),
    outputPicoUsd: Math.max(...outputs.flat()),
    roundingNanoUsd: roundingOf(inputs) + roundingOf(outputs),
  }
}

// A cached read is never asked for: providers do it by themselves. Nor are writes, where they are automatic.
function inputPrices(price: ModelPrice, cacheMark: CacheMark): readonly TieredPrice[] {
  const always = [price.input, price.cacheRead]
  if (cacheMark === '1h') return [...always, price.cacheWrite, price.cacheWrite1h]
  return cacheMark === '5m' || price.cacheWrites === 'automatic' ? [...always, price.cacheWrite] : always
}

function outputPrices(price: ModelPrice): readonly TieredPrice[] {
  return isSamePrice(price.reasoning, price.output) ? [price.output] : [price.output, price.reasoning]
}

// n components that round lie less than n above the exact sum, so at most n - 1 above the rounded one.
function roundingOf(components: readonly (readonly number[])[]): number {
  const rounding = components.filter((prices) => prices.some((picoUsd) => picoUsd % PICO_PER_NANO !== 0))
  return Math.max(0, rounding.length - 1)
}
