import type { CounterMeter } from '../meter.ts'

/** Amounts per counter: integers, money in nano-USD. An absent counter means none. */
export type Amounts = Readonly<Partial<Record<CounterMeter, number>>>

export const NANO_USD_PER_USD = 1_000_000_000

/** Whether `value` can be an amount: an integer from 0 to 2^53 - 1. */
export function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/**
 * The sum of two amounts. Saturates at 2^53 - 1, the largest exact integer, so that a total never shrinks or becomes
 * inexact. A total that large is past any limit anyway.
 */
export function addAmount(left: number, right: number): number {
  const sum = left + right
  return sum > Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : sum
}
