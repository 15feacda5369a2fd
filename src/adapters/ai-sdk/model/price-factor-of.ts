import { anthropicSurcharge, openAiSurcharge, type PriceFactor } from '../../../pricing/index.ts'
import type { CallOptions } from './language-model.ts'

/** What the options of a request multiply its price by; `null` where they do not. Each provider reads only its own. */
export function priceFactorOf(modelId: string, { providerOptions }: CallOptions): PriceFactor | null {
  const { anthropic, openai } = providerOptions ?? {}
  return anthropicSurcharge(modelId, anthropic ?? {}) ?? openAiSurcharge(modelId, openai?.serviceTier)
}
