import type { CounterMeter } from './meter.ts'

/** How much of a meter one unit takes: `numerator / denominator`, rounded up over all units together. */
export interface ElasticRate {
  readonly meter: CounterMeter
  readonly numerator: number
  readonly denominator: number
}

/**
 * The part of a call that can be cut: its output cap. At `n` units (output tokens of one choice) a meter is asked for
 * its fixed amount and `⌈n × rate⌉` on top.
 */
export interface ElasticAsk {
  /** Below this many units the call is not worth making. */
  readonly least: number
  /** With this many units it is not worth waiting for more. */
  readonly enough: number
  /** What was asked for. */
  readonly most: number
  readonly rates: readonly ElasticRate[]
}

/** What `units` take at this rate. */
export function amountAtUnits(rate: ElasticRate, units: number): number {
  const product = units * rate.numerator
  if (product <= Number.MAX_SAFE_INTEGER) return Math.ceil(product / rate.denominator)
  const exact = BigInt(units) * BigInt(rate.numerator)
  const denominator = BigInt(rate.denominator)
  return Number((exact + denominator - 1n) / denominator)
}

/** The most units, up to `most`, that `room` pays for at this rate. What takes nothing of a meter is not limited by it. */
export function unitsWithin(rate: ElasticRate, room: number, most: number): number {
  if (rate.numerator === 0) return most
  if (room < 0) return 0
  if (amountAtUnits(rate, most) <= room) return most
  return Number((BigInt(room) * BigInt(rate.denominator)) / BigInt(rate.numerator))
}
