import { type Amounts, type CounterMeter, METERS, type Meter } from '../../core/index.ts'

const SUFFIXES = { count: '', tokens: '', nanoUsd: 'NanoUsd', milliseconds: 'Ms' } as const

/** The name of a meter with its unit, as JSON has it: `costNanoUsd`. */
export function meterKey(meter: Meter): string {
  return `${meter}${SUFFIXES[METERS[meter].unit]}`
}

/** Amounts with their units in the names. */
export function amountsView(amounts: Amounts): Readonly<Record<string, number>> {
  const entries = Object.entries(amounts) as [CounterMeter, number][]
  return Object.fromEntries(entries.map(([meter, amount]) => [meterKey(meter), amount]))
}
