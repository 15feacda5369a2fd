/** How many tokens a written price is for. */
export type PriceUnit = '1M' | '1K'

const PICO_PER_NANO = 1000
// 1 USD is 10^12 pico-USD: per token that is 10^6 for a price per million, 10^9 for one per thousand.
const DECIMALS = { '1M': 6, '1K': 9 } as const

/**
 * A price in USD as whole pico-USD per token. Reads the number's shortest decimal text, since a float times a million
 * isn't exact. Rounds up, so that a price is never below what was written.
 */
export function picoUsdPerToken(usd: number, unit: PriceUnit = '1M'): number {
  const [mantissa = '', exponent = '0'] = String(usd).split('e')
  const [integer = '', fraction = ''] = mantissa.split('.')
  const shift = Number(exponent) + DECIMALS[unit] - fraction.length
  const digits = BigInt(integer + fraction)
  if (shift >= 0) return Number(digits * 10n ** BigInt(shift))
  const divisor = 10n ** BigInt(-shift)
  return Number((digits + divisor - 1n) / divisor)
}

/**
 * The cost of `count` tokens, in nano-USD, rounded up. Exact: uses numbers while the product stays below 2^53, BigInt
 * above. Saturates at 2^53 - 1 like every amount.
 */
export function nanoUsdOfTokens(count: number, picoUsd: number): number {
  const product = count * picoUsd
  if (product > Number.MAX_SAFE_INTEGER) {
    const exact = (BigInt(count) * BigInt(picoUsd) + BigInt(PICO_PER_NANO - 1)) / BigInt(PICO_PER_NANO)
    return exact > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(exact)
  }
  const rest = product % PICO_PER_NANO
  return (product - rest) / PICO_PER_NANO + (rest > 0 ? 1 : 0)
}
