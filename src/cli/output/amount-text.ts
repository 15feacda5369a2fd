import {
  type Amounts,
  COUNTER_METERS,
  type CounterMeter,
  displayAmount,
  type Limit,
  METERS,
  type Meter,
} from '../../core/index.ts'
import { formatMaximum } from '../../policy/index.ts'

/** A limit under the name that it was written with: `turns`, `cost/day`. */
export function limitName({ source, per }: Pick<Limit, 'source' | 'per'>): string {
  return per === null ? source.written : `${source.written}/${per}`
}

/** A limit with its maximum: `cost/day $100.00`, and its action where it is not to end the run. */
export function limitText(limit: Limit): string {
  const action = limit.action === 'terminate' ? '' : ` (${limit.action})`
  return `${limitName(limit)} ${formatMaximum(limit.meter, limit.max)}${action}`
}

/**
 * Amounts on one line: `cost $0.12, turns 1`, each under the name that its limit was written with, if there is one. What
 * was all execution is not said twice.
 */
export function amountsText(amounts: Amounts, limits: readonly Limit[] = []): string {
  const nameOf = (meter: Meter): string => limits.find((limit) => limit.meter === meter)?.source.written ?? meter
  const parts = COUNTER_METERS.flatMap((meter) => {
    const amount = amounts[meter]
    if (meter === 'executionCost' && amount === amounts.cost) return []
    return amount === undefined || amount === 0 ? [] : [`${nameOf(meter)} ${displayAmount(meter, amount)}`]
  })
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

const SUFFIXES = { count: '', tokens: '', nanoUsd: 'NanoUsd', milliseconds: 'Ms' } as const

/** The name of a meter with its unit, as JSON has it: `costNanoUsd`. */
export function meterKey(meter: Meter): string {
  return `${meter}${SUFFIXES[METERS[meter].unit]}`
}

/** Amounts with their units in the names. */
export function amountsJson(amounts: Amounts): Readonly<Record<string, number>> {
  const entries = Object.entries(amounts) as [CounterMeter, number][]
  return Object.fromEntries(entries.map(([meter, amount]) => [meterKey(meter), amount]))
}
