import { isEnforced, type Limit, METER_NAMES, METERS, type Meter } from '../../../core/index.ts'
import type { PlannedMeter, WorstCase } from './plan.ts'

const LEVELS: readonly Meter[] = ['spawns', 'wallTime', 'idleTime']

/** In the order in which decisions check them. */
export const PLANNED_METERS = METER_NAMES.filter(isPlanned)

function isPlanned(meter: Meter): meter is PlannedMeter {
  const { kind } = METERS[meter]
  return (kind === 'counter' || kind === 'clock') && !LEVELS.includes(meter)
}

/** An amount for every planned meter. */
export function worstCaseFrom(amountOf: (meter: PlannedMeter) => number | null): WorstCase {
  return Object.fromEntries(PLANNED_METERS.map((meter) => [meter, amountOf(meter)])) as WorstCase
}

/** The most that limits allow of a meter; `null` if none bounds it. A limit that only warns bounds nothing. */
export function boundOf(limits: readonly Limit[], meter: Meter): number | null {
  const own = limits.filter((limit) => limit.meter === meter && limit.per === null && isEnforced(limit.action))
  return own.length === 0 ? null : Math.min(...own.map(({ max }) => max))
}

/** The smaller of two bounds. */
export function smallerOf(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right
  return Math.min(left, right)
}

/** `null` if one of them is, or if the sum is more than a ledger can store. */
export function sumOf(amounts: readonly (number | null)[]): number | null {
  let sum = 0
  for (const amount of amounts) {
    if (amount === null) return null
    sum += amount
  }
  return Number.isSafeInteger(sum) ? sum : null
}

export function timesOf(amount: number | null, count: number): number | null {
  if (count === 0) return 0
  return amount === null ? null : sumOf([amount * count])
}

/** The largest; `null` if one of them has no bound. */
export function largestOf(amounts: readonly (number | null)[]): number | null {
  return amounts.reduce((left, right) => (left === null || right === null ? null : Math.max(left, right)), 0)
}
