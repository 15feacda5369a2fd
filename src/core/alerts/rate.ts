import { addAmount } from '../amounts/amounts.ts'
import type { AlertPeriod } from './alert-rule.ts'

/**
 * How much came together lately, in twelve steps of a period, the latest first. So what counts as an hour is between 55
 * and 60 minutes. It is changed in place, since every charge is added to one.
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
 * Adds an amount. A clock that goes back a little counts on in the latest step; one that goes back by a whole period
 * starts over, since what it said before lies in the future.
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

/** What came together in the period up to the latest step. */
export function totalOfRate({ sums }: Rate): number {
  let total = 0
  for (const sum of sums) total = addAmount(total, sum)
  return total
}

/** Whether a rule may be raised again. A time that is a whole period ahead was told by a clock that went back. */
export function mayRaiseAgain(raisedAtMs: number | undefined, per: AlertPeriod, atMs: number): boolean {
  return raisedAtMs === undefined || Math.abs(atMs - raisedAtMs) >= PERIOD_MS[per]
}
