import { addAmount } from '../core/amounts.ts'
import { assertCount } from './assert-count.ts'
import type { ModelPrice } from './model-price.ts'
import { nanoUsdOfTokens } from './pico-usd.ts'
import { priceAt, type TieredPrice } from './tiered-price.ts'
import { promptTokens, type Usage } from './usage.ts'

/**
 * What a call cost, in nano-USD, each price component rounded up by itself: never below the true price, and less than
 * one nano-USD above it per component; saturates at 2^53 - 1. Reasoning is a component of its own only where its price differs.
 */
export function costOf(price: ModelPrice, usage: Usage, extras: { readonly webSearches?: number } = {}): number {
  const { webSearches = 0 } = extras
  assertCount('webSearches', webSearches)
  const prompt = promptTokens(usage)
  const at = (tokens: number, tiered: TieredPrice) => nanoUsdOfTokens(tokens, priceAt(tiered, prompt))
  const components = [
    at(usage.inputTokens, price.input),
    at(usage.cacheReadTokens, price.cacheRead),
    at(usage.cacheWriteTokens, price.cacheWrite),
    at(usage.cacheWrite1hTokens, price.cacheWrite1h),
    ...outputComponents(price, usage, prompt),
    price.fees.requestNanoUsd,
    webSearches * price.fees.webSearchNanoUsd,
  ]
  return components.reduce(addAmount, 0)
}

function outputComponents(price: ModelPrice, usage: Usage, prompt: number): readonly number[] {
  const output = priceAt(price.output, prompt)
  const reasoning = priceAt(price.reasoning, prompt)
  if (output === reasoning) return [nanoUsdOfTokens(usage.outputTokens, output)]
  const reasoned = Math.min(usage.reasoningTokens, usage.outputTokens)
  return [nanoUsdOfTokens(usage.outputTokens - reasoned, output), nanoUsdOfTokens(reasoned, reasoning)]
}
