import type { CounterMeter } from './meter.ts'

/** So much of some counters: integers, money in nano-USD. A meter that is absent is not asked for. */
export type Amounts = Readonly<Partial<Record<CounterMeter, number>>>

export const NANO_USD_PER_USD = 1_000_000_000

/** Whether `value` can be an amount: an integer from 0 to 2^53 - 1. */
export function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/**
 * The sum of two amounts. Saturates at 2^53 - 1, where exact integers end, so that a total never shrinks or goes
 * astray: whatever has got there is far past any limit anyway.
 */
export function addAmount(left: number, right: number): number {
  const sum = left + right
  return sum > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : sum
}
