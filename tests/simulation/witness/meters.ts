/** The counters, named here once more: the witness does not ask the product what they are. */
export const COUNTERS = [
  'toolCalls',
  'modelCalls',
  'tokens',
  'outputTokens',
  'uncachedTokens',
  'cost',
  'planningCost',
  'executionCost',
  'spawns',
] as const

export type CounterName = (typeof COUNTERS)[number]

export const TOKENS = COUNTERS.indexOf('tokens')
export const SPAWNS = COUNTERS.indexOf('spawns')

/** So much of each counter, in the order of `COUNTERS`. */
export type Vector = number[]

export const zeros = (): Vector => COUNTERS.map(() => 0)

/** A vector from amounts by name. */
export function vectorFrom(amounts: Readonly<Partial<Record<CounterName, number>>>): Vector {
  return COUNTERS.map((meter) => amounts[meter] ?? 0)
}

/** Adds in place. */
export function addTo(sum: Vector, change: readonly number[], sign: 1 | -1 = 1): void {
  for (let index = 0; index < sum.length; index++) sum[index]! += sign * change[index]!
}

/** Whether what is in flight of it is sure to be spent. */
export function isCount(meter: string): boolean {
  return meter === 'toolCalls' || meter === 'modelCalls' || meter === 'spawns'
}

/** The most that `units` of a rate can take, in whole numbers. */
export function amountOf(rate: { readonly numerator: number; readonly denominator: number }, units: number): number {
  const exact = BigInt(units) * BigInt(rate.numerator)
  const denominator = BigInt(rate.denominator)
  return Number((exact + denominator - 1n) / denominator)
}

const HOUR_MS = 3_600_000

/** Where the window of a period begins. Seeds use hours and days of UTC only. */
export function windowStart(per: string, atMs: number): number {
  const length = per === 'hour' ? HOUR_MS : 24 * HOUR_MS
  return Math.floor(atMs / length) * length
}
