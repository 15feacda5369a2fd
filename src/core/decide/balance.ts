import { counterIndex } from '../amounts/amount-vector.ts'
import { type Limit, limitKey } from '../limits/limit.ts'

/** The state of a counter: spent for good, and reserved for calls in flight. */
export interface Counter {
  readonly settled: number
  readonly reserved: number
}

/** One limit of one scope in its current window. */
export interface LimitBalance {
  /** Identifies the limit and its scope in the whole ledger. */
  readonly key: string
  readonly limit: Limit
  /**
   * The index of the limit's meter in an `AmountVector`; -1 for meters without reservations (levels, gauges, clocks).
   */
  readonly index: number
  /** The counter that the limit applies to: the scope's total, or that of the current window. */
  readonly counter: Counter
  /** Held back for closing calls. */
  readonly held: number
  /** When the current window ends (epoch milliseconds); `null` without a period. */
  readonly resetsAt: number | null
}

/** All limits of one scope, in the fixed order of the meters. */
export interface ScopeBalance {
  readonly id: string
  /** The names from the root to this scope. */
  readonly path: string
  readonly limits: readonly LimitBalance[]
}

/** The key of a limit in the whole ledger. */
export function balanceKey(scopeId: string, limit: Limit): string {
  return `${scopeId} ${limitKey(limit)}`
}

/** A balance to decide on, for callers without a store. */
export function balanceOf(
  limit: Limit,
  standing: Partial<Counter> & { readonly held?: number; readonly resetsAt?: number; readonly scopeId?: string } = {},
): LimitBalance {
  const { settled = 0, reserved = 0, held = 0, resetsAt = null, scopeId = '' } = standing
  const index = counterIndex(limit.meter)
  return { key: balanceKey(scopeId, limit), limit, index, counter: { settled, reserved }, held, resetsAt }
}

/** What is left to grant on a limit; never below 0, even after an overrun. */
export function remainingOf(balance: LimitBalance): number {
  return Math.max(0, freeOn(balance))
}

/** What is left to grant; negative if the limit is overdrawn. */
export function freeOn(balance: LimitBalance): number {
  return balance.limit.max - balance.counter.settled - balance.counter.reserved - balance.held
}

/** How far the settled amount exceeds the limit. */
export function overrunOf(balance: LimitBalance): number {
  return Math.max(0, balance.counter.settled - balance.limit.max)
}
