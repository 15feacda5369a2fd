import { endsInClosingCall } from './action.ts'
import type { Amounts } from './amounts.ts'
import type { LimitBalance, ScopeBalance } from './balance.ts'
import type { Limit } from './limit.ts'
import { COUNTER_METERS, type CounterMeter } from './meter.ts'

/** What a scope would have its closing call paid from. */
export interface HoldAsk {
  /** What the closing call would cost now. */
  readonly wanted: Amounts
  /** What the smallest closing call costs: where half a limit cannot pay that, it has no hold. */
  readonly smallest: Amounts
}

/** What a scope holds back on one limit of its path. */
export interface Hold {
  /** Of the scope whose limit it is. */
  readonly scopeId: string
  /** Of the limit, in the whole ledger. */
  readonly key: string
  readonly amount: number
}

/**
 * Sizes the holds of one scope anew on every limit of its path, as far as there is room, with those that it has
 * already (`own`) out of the way. `held` is the least that is held of each wanted meter over all limits that can end
 * in a closing call.
 */
export function sizeHolds(
  rootToLeaf: readonly ScopeBalance[],
  own: readonly Hold[],
  ask: HoldAsk | null,
): { readonly holds: readonly Hold[]; readonly held: Amounts } {
  const holds: Hold[] = []
  const least = new Map<CounterMeter, number>()
  for (const { id: scopeId, limits } of rootToLeaf) {
    for (const balance of limits) {
      const meter = COUNTER_METERS[balance.index]
      const wanted = meter === undefined ? 0 : (ask?.wanted[meter] ?? 0)
      if (meter === undefined || wanted === 0 || !endsInClosingCall(balance.limit.action)) continue
      const before = own.find(({ key }) => key === balance.key)?.amount ?? 0
      const amount = holdWithin(balance, before, wanted, ask?.smallest[meter] ?? 0)
      if (amount > 0) holds.push({ scopeId, key: balance.key, amount })
      least.set(meter, Math.min(least.get(meter) ?? amount, amount))
    }
  }
  return { holds, held: Object.fromEntries(least) }
}

/**
 * How much of `wanted` one scope may hold on a limit, with `ownHeld` of what is held there already its own. All holds
 * on a limit together take at most half of it, first come first served, and never room that is spent or reserved.
 */
export function holdWithin(balance: LimitBalance, ownHeld: number, wanted: number, smallest: number): number {
  const { limit, counter, held } = balance
  if (!endsInClosingCall(limit.action)) return 0
  const half = Math.floor(limit.max / 2)
  if (half < smallest) return 0
  const others = held - ownHeld
  const room = Math.min(half - others, limit.max - counter.settled - counter.reserved - others)
  return Math.max(0, Math.min(wanted, room))
}

/**
 * What is left of the holds on a limit after it was written anew, in the order in which they were taken: together at
 * most half of it, so that the latest give way, and nothing where it can no longer end in a closing call.
 */
export function trimHolds(limit: Limit, amounts: readonly number[]): readonly number[] {
  let room = endsInClosingCall(limit.action) ? Math.floor(limit.max / 2) : 0
  return amounts.map((amount) => {
    const kept = Math.min(amount, room)
    room -= kept
    return kept
  })
}
