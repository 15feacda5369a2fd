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
  const input = dearestOf(inputPrices(price, cacheMark), inputTokens)
  const output = dearestOf(outputPrices(price), inputTokens)
  return {
    inputPicoUsd: input.picoUsd,
    outputPicoUsd: output.picoUsd,
    roundingNanoUsd: input.roundingNanoUsd + output.roundingNanoUsd,
  }
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
function inputPrices(price: ModelPrice, cacheMark: CacheMark): readonly TieredPrice[] {
  const always = [price.input, price.cacheRead]
  if (cacheMark === '1h') return [...always, price.cacheWrite, price.cacheWrite1h]
  return cacheMark === '5m' || price.cacheWrites === 'automatic' ? [...always, price.cacheWrite] : always
}

function outputPrices(price: ModelPrice): readonly TieredPrice[] {
  return isSamePrice(price.reasoning, price.output) ? [price.output] : [price.output, price.reasoning]
}
