import { type Amounts, addAmount } from '../amounts/amounts.ts'
import { endsInClosingCall } from '../limits/action.ts'
import { COUNTER_METERS, type CounterMeter, isElasticMeter } from '../meter.ts'
import type { LimitBalance, ScopeBalance } from './balance.ts'
import { amountAtUnits, type ElasticRate } from './elastic.ts'

/** The amounts that a scope wants held back for its closing call. */
export interface HoldAsk {
  /** The current cost of the closing call. */
  readonly wanted: Amounts
  /** The cost of the smallest closing call. If half of a limit on a count can't pay it, there is no hold. */
  readonly smallest: Amounts
}

/** The closing call that must stay payable alongside a model call of the same conversation. */
export interface ReserveHold extends HoldAsk {
  /** What the call will likely take: less than its worst case if a cache hit is expected. */
  readonly likely: Amounts
  /**
   * By how much the closing call grows for each unit of output that the call is granted above its least, because it
   * includes the answer.
   */
  readonly growth: readonly ElasticRate[]
  /** Whether this is the first call of its conversation, which is admitted together with its hold or refused. */
  readonly isFirst: boolean
}

/** The hold needed alongside a call that was granted `units` of output above its least. */
export function grownHold(hold: ReserveHold, units: number): HoldAsk {
  if (units <= 0) return { wanted: hold.wanted, smallest: hold.smallest }
  const wanted: Partial<Record<CounterMeter, number>> = { ...hold.wanted }
  const smallest: Partial<Record<CounterMeter, number>> = { ...hold.smallest }
  for (const rate of hold.growth) {
    const more = amountAtUnits(rate, units)
    wanted[rate.meter] = addAmount(wanted[rate.meter] ?? 0, more)
    smallest[rate.meter] = addAmount(smallest[rate.meter] ?? 0, more)
  }
  return { wanted, smallest }
}

/** What a scope holds back on one limit of its path. */
export interface Hold {
  /** The scope that has the limit. */
  readonly scopeId: string
  /** The key of the limit in the whole ledger. */
  readonly key: string
  readonly amount: number
}

/** How the holds of one scope are sized. */
export interface HoldSizing {
  /** Keep an existing hold if there is room, instead of resizing it to the wanted amount. */
  readonly keepsOwn?: boolean
}

/**
 * Sizes the holds of one scope on every limit of its path, as far as there is room, replacing its current ones (`own`).
 * `held` is the smallest hold per wanted meter over all limits that can end in a closing call.
 */
export function sizeHolds(
  rootToLeaf: readonly ScopeBalance[],
  own: readonly Hold[],
  ask: HoldAsk | null,
  { keepsOwn = false }: HoldSizing = {},
): { readonly holds: readonly Hold[]; readonly held: Amounts } {
  const holds: Hold[] = []
  const least = new Map<CounterMeter, number>()
  for (const { id: scopeId, limits } of rootToLeaf) {
    for (const balance of limits) {
      const meter = COUNTER_METERS[balance.index]
      const wanted = meter === undefined ? 0 : (ask?.wanted[meter] ?? 0)
      if (meter === undefined || wanted === 0 || !endsInClosingCall(balance.limit.action)) continue
      const before = ownHold(own, balance.key)
      const smallest = ask?.smallest[meter] ?? 0
      const target = keepsOwn && before > 0 ? Math.max(before, smallest) : wanted
      const amount = holdWithin(balance, before, target, smallest)
      if (amount > 0) holds.push({ scopeId, key: balance.key, amount })
      least.set(meter, Math.min(least.get(meter) ?? amount, amount))
    }
  }
  return { holds, held: Object.fromEntries(least) }
}

/** The amount that a scope's holds have on one limit. */
export function ownHold(own: readonly Hold[], key: string): number {
  for (let place = 0; place < own.length; place++) if (own[place]!.key === key) return own[place]!.amount
  return 0
}

/**
 * How much of `wanted` one scope may hold on a limit. `ownHeld` is its own part of what is already held. Never takes
 * room that is spent, reserved or held by others. On counts, all holds together take at most half of the limit, first
 * come, first served. On tokens and cost that rule applies only to admission, and the hold of an admitted conversation
 * may grow past it.
 */
export function holdWithin(balance: LimitBalance, ownHeld: number, wanted: number, smallest: number): number {
  const { limit, counter, held } = balance
  if (!endsInClosingCall(limit.action)) return 0
  const others = held - ownHeld
  const free = limit.max - counter.settled - counter.reserved - others
  if (isElasticMeter(limit.meter)) return Math.max(0, Math.min(wanted, free))
  const half = halfOf(limit.max)
  return half < smallest ? 0 : Math.max(0, Math.min(wanted, half - others, free))
}

/** What all holds on a limit may take together when a conversation is admitted. */
export function halfOf(max: number): number {
  return Math.floor(max / 2)
}

/**
 * The holds that remain on a limit after it was changed, in the order they were taken, so that the latest are reduced
 * first: as much as there is room for, on a count at most half of the limit, and nothing if the limit can no longer end
 * in a closing call.
 */
export function trimHolds({ limit, counter }: LimitBalance, amounts: readonly number[]): readonly number[] {
  const free = Math.max(0, limit.max - counter.settled - counter.reserved)
  const most = isElasticMeter(limit.meter) ? free : Math.min(free, halfOf(limit.max))
  let room = endsInClosingCall(limit.action) ? most : 0
  return amounts.map((amount) => {
    const kept = Math.min(amount, room)
    room -= kept
    return kept
  })
}
