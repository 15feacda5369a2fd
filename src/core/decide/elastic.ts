import type { CounterMeter } from '../meter.ts'

/** How much of a meter one unit takes: `numerator / denominator`, rounded up over all units together. */
export interface ElasticRate {
  readonly meter: CounterMeter
  readonly numerator: number
  readonly denominator: number
}

/**
 * The part of a call that can be reduced: its output cap. With `n` units (output tokens of one choice), a meter needs
 * its fixed amount plus `⌈n × rate⌉`.
 */
export interface ElasticAsk {
  /** With fewer units the call isn't worth making. */
  readonly least: number
  /** With this many units it isn't worth waiting for more. */
  readonly enough: number
  /** The requested units. */
  readonly most: number
  readonly rates: readonly ElasticRate[]
}

/** The amount that `units` take at this rate. */
export function amountAtUnits(rate: ElasticRate, units: number): number {
  const product = units * rate.numerator
  if (product <= Number.MAX_SAFE_INTEGER) return Math.ceil(product / rate.denominator)
  const exact = BigInt(units) * BigInt(rate.numerator)
  const denominator = BigInt(rate.denominator)
  return Number((exact + denominator - 1n) / denominator)
}

/** The most units, up to `most`, that `room` pays for at this rate. A rate of 0 never limits them. */
export function unitsWithin(rate: ElasticRate, room: number, most: number): number {
  if (rate.numerator === 0) return most
  if (room < 0) return 0
  if (amountAtUnits(rate, most) <= room) return most
  return Number((BigInt(room) * BigInt(rate.denominator)) / BigInt(rate.numerator))
}
