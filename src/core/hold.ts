import { endsInClosingCall } from './action.ts'
import type { Amounts } from './amounts.ts'
import type { LimitBalance } from './balance.ts'

/** What a scope would have its closing call paid from. */
export interface HoldAsk {
  /** What the closing call would cost now. */
  readonly wanted: Amounts
  /** What the smallest closing call costs: where half a limit cannot pay that, it has no hold. */
  readonly smallest: Amounts
}

/**
 * How much of `wanted` one scope may hold on a limit, with `ownHeld` of what is held there already its own. All holds
 * on a limit together take at most half of it, first come first served, and never room that is spent or reserved.
 */
export function holdWithin(balance: LimitBalance, ownHeld: number, wanted: number, smallest: number): number {
  const { limit, settled, reserved, held } = balance
  if (wanted <= 0 || !endsInClosingCall(limit.action)) return 0
  const half = Math.floor(limit.max / 2)
  if (half < smallest) return 0
  const others = held - ownHeld
  const room = Math.min(half - others, limit.max - settled - reserved - others)
  return Math.max(0, Math.min(wanted, room))
}

const LONGEST_CLOSING_SPAN_MS = 15_000
const SHORTEST_CLOSING_SPAN_MS = 3_000

/** The last part of a clock's limit that belongs to the closing call; 0 where it would be too short to be of use. */
export function closingSpanMs(limitMs: number): number {
  const span = Math.min(LONGEST_CLOSING_SPAN_MS, Math.floor(limitMs / 10))
  return span < SHORTEST_CLOSING_SPAN_MS ? 0 : span
}
