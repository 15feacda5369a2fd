import type { Vector } from '../witness/meters.ts'
import { vectorFrom } from '../witness/meters.ts'

/** What the provider asks for a token, in pico-USD. These are the truth; the product is told the same as USD. */
interface TokenPrice {
  readonly inputPicoUsd: bigint
  readonly cachedPicoUsd: bigint
  readonly outputPicoUsd: bigint
}

const PRICES: Readonly<Record<string, TokenPrice>> = {
  'sim-swift': { inputPicoUsd: 1_000_000n, cachedPicoUsd: 100_000n, outputPicoUsd: 5_000_000n },
  'sim-deep': { inputPicoUsd: 3_000_000n, cachedPicoUsd: 300_000n, outputPicoUsd: 15_000_000n },
  // Prices that are no whole nano-USD: each part is rounded up by itself.
  'sim-odd': { inputPicoUsd: 37_501n, cachedPicoUsd: 18_703n, outputPicoUsd: 150_307n },
}

export const MODELS = Object.keys(PRICES)

/** The same prices as a person would write them, in USD for a million tokens. */
export const WRITTEN_PRICES = {
  'sim-swift': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1 },
  'sim-deep': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3 },
  'sim-odd': { input: 0.037501, output: 0.150307, cacheRead: 0.018703, cacheWrite: 0.037501 },
}

/** What a call used. */
export interface Used {
  readonly model: string
  readonly phase: 'planning' | 'execution' | undefined
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
}

/** What the provider puts down in its book for a call. */
export function booked({ model, phase, inputTokens, cachedTokens, outputTokens }: Used): Vector {
  const { inputPicoUsd, cachedPicoUsd, outputPicoUsd } = PRICES[model]!
  const cost = nano(inputTokens, inputPicoUsd) + nano(cachedTokens, cachedPicoUsd) + nano(outputTokens, outputPicoUsd)
  return vectorFrom({
    modelCalls: 1,
    tokens: inputTokens + cachedTokens + outputTokens,
    outputTokens,
    uncachedTokens: inputTokens + outputTokens,
    cost,
    ...(phase === 'planning' ? { planningCost: cost } : { executionCost: cost }),
  })
}

function nano(tokens: number, picoUsd: bigint): number {
  return Number((BigInt(tokens) * picoUsd + 999n) / 1_000n)
}
