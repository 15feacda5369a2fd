import type { ModelPrice, TokenPrices } from './model-price.ts'
import type { TieredPrice } from './tiered-price.ts'

const KINDS = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWrite1h',
  'reasoning',
] as const satisfies readonly (keyof TokenPrices)[]

/** Whether a price depends on the length of the prompt. */
export function hasTiers(price: TokenPrices): boolean {
  return KINDS.some((kind) => price[kind].tiers.length > 0)
}

/** A host's price with the tiers of the vendor's own price, in the same proportions. */
export function withTiersLike(price: ModelPrice, vendor: TokenPrices): ModelPrice {
  const tiered = Object.fromEntries(KINDS.map((kind) => [kind, tiersLike(price[kind], vendor[kind])]))
  return { ...price, ...(tiered as unknown as Pick<ModelPrice, (typeof KINDS)[number]>) }
}

function tiersLike({ basePicoUsd }: TieredPrice, { basePicoUsd: vendorBase, tiers }: TieredPrice): TieredPrice {
  return {
    basePicoUsd,
    tiers: tiers.map(({ aboveTokens, picoUsd }) => ({
      aboveTokens,
      picoUsd: vendorBase === 0 ? Math.max(basePicoUsd, picoUsd) : Math.ceil((basePicoUsd * picoUsd) / vendorBase),
    })),
  }
}
