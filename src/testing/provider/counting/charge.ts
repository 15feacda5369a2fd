import { type CountedUsage, promptTokensOf } from './counted-usage.ts'
import type { ProviderPrice } from './provider-model.ts'

/** What a request costs. */
export interface Charge {
  /** The exact cost. */
  readonly picoUsd: bigint
  /** As billed: each price class rounded up to whole nano-USD, then added. */
  readonly nanoUsd: number
}

const PICO_PER_NANO = 1_000n

/** The price of a usage. Integers only. */
export function chargeOf(price: ProviderPrice, usage: CountedUsage): Charge {
  const { longPrompt } = price
  const rates = longPrompt !== undefined && promptTokensOf(usage) > longPrompt.aboveTokens ? longPrompt : price
  const classes = [
    BigInt(usage.inputTokens) * BigInt(rates.input),
    BigInt(usage.cacheReadTokens) * BigInt(rates.cacheRead),
    BigInt(usage.cacheWriteTokens) * BigInt(rates.cacheWrite),
    BigInt(usage.cacheWrite1hTokens) * BigInt(rates.cacheWrite1h),
    BigInt(usage.outputTokens) * BigInt(rates.output),
    BigInt(usage.webSearches) * BigInt(price.webSearchNanoUsd) * PICO_PER_NANO,
  ]
  let picoUsd = 0n
  let nanoUsd = 0n
  for (const each of classes) {
    picoUsd += each
    nanoUsd += (each + PICO_PER_NANO - 1n) / PICO_PER_NANO
  }
  return { picoUsd, nanoUsd: Number(nanoUsd) }
}
