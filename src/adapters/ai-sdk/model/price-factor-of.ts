import { anthropicSurcharge, openAiSurcharge, type PriceFactor } from '../../../pricing/index.ts'
import type { CallOptions } from './language-model.ts'

/**
 * The price multiplier in the options of a request; `null` if there is none. Each provider reads only its own options.
 */
export function priceFactorOf(modelId: string, { providerOptions }: CallOptions): PriceFactor | null {
  if (providerOptions === undefined) return null
  const { anthropic, openai } = providerOptions
  return anthropicSurcharge(modelId, anthropic ?? {}) ?? openAiSurcharge(modelId, openai?.serviceTier)
}
