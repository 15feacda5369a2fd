import { counterIndex } from './amount-vector.ts'
import { type Limit, limitKey } from './limit.ts'

/** What a counter stands at: spent for good, and set aside for calls in flight. */
export interface Counter {
  readonly settled: number
  readonly reserved: number
}

/** One limit of one scope as it stands in its present window. */
export interface LimitBalance {
  /** Which limit of which scope it is, in the whole ledger. */
  readonly key: string
  readonly limit: Limit
  /** The place of the limit's meter in an `AmountVector`; -1 where nothing is reserved (levels, gauges, clocks). */
  readonly index: number
  /** The counter that the limit is about: the scope's own, or that of its present window. */
  readonly counter: Counter
  /** What wrap-ups hold back on this limit. */
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

/** The key of a limit in the whole ledger. */
export function balanceKey(scopeId: string, limit: Limit): string {
  return `${scopeId} ${limitKey(limit)}`
}

/** A balance to decide on, for those who have no store at hand. */
export function balanceOf(
  limit: Limit,
  standing: Partial<Counter> & { readonly held?: number; readonly resetsAt?: number; readonly scopeId?: string } = {},
): LimitBalance {
  const { settled = 0, reserved = 0, held = 0, resetsAt = null, scopeId = '' } = standing
  const index = counterIndex(limit.meter)
  return { key: balanceKey(scopeId, limit), limit, index, counter: { settled, reserved }, held, resetsAt }
}

/** What is left to grant on a limit: never below 0, also when an overrun went past it. */
export function remainingOf(balance: LimitBalance): number {
  return Math.max(0, freeOn(balance))
}

/** What is left to grant, or by how much the limit is overdrawn (below 0). */
export function freeOn(balance: LimitBalance): number {
  return balance.limit.max - balance.counter.settled - balance.counter.reserved - balance.held
}

/** How far the settled amount went past the limit. */
export function overrunOf(balance: LimitBalance): number {
  return Math.max(0, balance.counter.settled - balance.limit.max)
}
