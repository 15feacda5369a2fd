/** A price in pico-USD per token that may depend on the length of the prompt. */
export interface TieredPrice {
  readonly basePicoUsd: number
  /**
   * Ascending. The last tier whose threshold the prompt exceeds prices the whole request, not only the part above it.
   */
  readonly tiers: readonly PriceTier[]
}

export interface PriceTier {
  /** The tier applies to prompts of more than this many tokens, including cached ones. */
  readonly aboveTokens: number
  readonly picoUsd: number
}

/** The price per token of a request with a prompt of `promptTokens`. */
export function priceAt(price: TieredPrice, promptTokens: number): number {
  let picoUsd = price.basePicoUsd
  for (const tier of price.tiers) {
    if (promptTokens > tier.aboveTokens) picoUsd = tier.picoUsd
  }
  return picoUsd
}

/**
 * Every price that a prompt of up to `promptTokens` can have: one that is shorter than estimated stays in a lower tier.
 */
export function pricesUpTo(price: TieredPrice, promptTokens: number): readonly number[] {
  const prices = [price.basePicoUsd]
  for (const { aboveTokens, picoUsd } of price.tiers) if (promptTokens > aboveTokens) prices.push(picoUsd)
  return prices
}

/** Applies `change` to each figure. */
export function mapPrice(price: TieredPrice, change: (picoUsd: number) => number): TieredPrice {
  return {
    basePicoUsd: change(price.basePicoUsd),
    tiers: price.tiers.map((tier) => ({ ...tier, picoUsd: change(tier.picoUsd) })),
  }
}

/** The highest of several prices at every length. */
export function dearestPrice(first: TieredPrice, ...others: readonly TieredPrice[]): TieredPrice {
  if (others.length === 0) return first
  const all = [first, ...others]
  const thresholds = [...new Set(all.flatMap((price) => price.tiers.map((tier) => tier.aboveTokens)))]
  const dearestAt = (promptTokens: number) => Math.max(...all.map((price) => priceAt(price, promptTokens)))
  return {
    basePicoUsd: dearestAt(0),
    tiers: thresholds
      .sort((left, right) => left - right)
      .map((aboveTokens) => ({ aboveTokens, picoUsd: dearestAt(aboveTokens + 1) })),
  }
}

/** Whether two prices are the same at every length. */
export function isSamePrice(left: TieredPrice, right: TieredPrice): boolean {
  if (left === right) return true
  const thresholds = [...left.tiers, ...right.tiers].map((tier) => tier.aboveTokens + 1)
  return [0, ...thresholds].every((promptTokens) => priceAt(left, promptTokens) === priceAt(right, promptTokens))
}
