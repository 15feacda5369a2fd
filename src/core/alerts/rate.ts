import { addAmount } from '../amounts/amounts.ts'
import type { AlertPeriod } from './alert-rule.ts'

/**
 * The amount of the latest period in twelve steps, the latest first, so "an hour" is between 55 and 60 minutes. Changed
 * in place, because every charge is added to one.
 */
export interface Rate {
  /** The number of the latest step since 1970. */
  step: number
  sums: number[]
}

export const PERIOD_MS: Readonly<Record<AlertPeriod, number>> = { hour: 3_600_000, day: 86_400_000 }

const STEPS = 12

export function createRate(): Rate {
  return { step: 0, sums: [] }
}

/**
 * Adds an amount. If the clock goes back a little, the latest step continues; if it goes back by a whole period, the
 * count starts over.
 */
export function addToRate(rate: Rate, amount: number, per: AlertPeriod, atMs: number): void {
  const step = Math.floor((atMs * STEPS) / PERIOD_MS[per])
  const isOther = step >= rate.step + STEPS || step <= rate.step - STEPS
  if (isOther) {
    rate.step = step
    rate.sums = [amount]
    return
  }
  for (; rate.step < step; rate.step++) rate.sums.unshift(0)
  rate.sums.length = Math.min(rate.sums.length, STEPS)
  rate.sums[0] = addAmount(rate.sums[0] ?? 0, amount)
}

/** The total of the period up to the latest step. */
export function totalOfRate({ sums }: Rate): number {
  let total = 0
  for (const sum of sums) total = addAmount(total, sum)
  return total
}

/** Whether a rule may be raised again. A time a whole period ahead comes from a clock that has gone back since. */
export function mayRaiseAgain(raisedAtMs: number | undefined, per: AlertPeriod, atMs: number): boolean {
  return raisedAtMs === undefined || Math.abs(atMs - raisedAtMs) >= PERIOD_MS[per]
}
