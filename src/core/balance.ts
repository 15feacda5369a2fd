import { counterIndex } from './amount-vector.ts'
import type { Limit } from './limit.ts'

/** One limit of one scope as it stands in its present window. */
export interface LimitBalance {
  readonly limit: Limit
  /** The place of the limit's meter in an `AmountVector`; -1 where nothing is reserved (levels, gauges, clocks). */
  readonly index: number
  /** Spent for good. */
  readonly settled: number
  /** Set aside for calls in flight. */
  readonly reserved: number
  /** Held back for wrap-ups. */
  readonly held: number
  /** When the present window ends (epoch milliseconds); `null` without a period. */
  readonly resetsAt: number | null
}

/** All limits of one scope, in the fixed order of the meters. */
export interface ScopeBalance {
  readonly id: string
  /** The names from the root down to this scope. */
  readonly path: string
  readonly limits: readonly LimitBalance[]
}

/** A balance to decide on, for those who have no store at hand. */
export function balanceOf(limit: Limit, standing: Partial<Omit<LimitBalance, 'limit' | 'index'>> = {}): LimitBalance {
  return { limit, index: counterIndex(limit.meter), settled: 0, reserved: 0, held: 0, resetsAt: null, ...standing }
}

/** What is left to grant on a limit: never below 0, also when an overrun went past it. */
export function remainingOf(balance: LimitBalance): number {
  return Math.max(0, freeOn(balance))
}

/** What is left to grant, or by how much the limit is overdrawn (below 0). */
export function freeOn(balance: LimitBalance): number {
  return balance.limit.max - balance.settled - balance.reserved - balance.held
}

/** How far the settled amount went past the limit. */
export function overrunOf(balance: LimitBalance): number {
  return Math.max(0, balance.settled - balance.limit.max)
}
