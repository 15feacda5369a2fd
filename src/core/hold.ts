import { endsInClosingCall } from './action.ts'
import { type Amounts, addAmount } from './amounts.ts'
import type { LimitBalance, ScopeBalance } from './balance.ts'
import { amountAtUnits, type ElasticRate } from './elastic.ts'
import { COUNTER_METERS, type CounterMeter, isElasticMeter } from './meter.ts'

/** What a scope would have its closing call paid from. */
export interface HoldAsk {
  /** What the closing call would cost now. */
  readonly wanted: Amounts
  /** What the smallest closing call costs. A limit on a count of which half cannot pay that has no hold. */
  readonly smallest: Amounts
}

/** The closing call that a model call of the same conversation must leave payable. */
export interface ReserveHold extends HoldAsk {
  /** What the call itself will likely take: less than its worst case where a cache hit can be counted on. */
  readonly likely: Amounts
  /**
   * What the closing call takes more for each unit of output that the call is granted above its least: it has to carry
   * the answer.
   */
  readonly growth: readonly ElasticRate[]
  /** Whether this is the first call of its conversation, which is admitted together with its hold, or refused. */
  readonly isFirst: boolean
}

/** What must be held back beside a call that was granted `units` of output above its least. */
export function grownHold({ wanted, smallest, growth }: ReserveHold, units: number): HoldAsk {
  if (units <= 0) return { wanted, smallest }
  const grown = (amounts: Amounts): Amounts => {
    const larger: Partial<Record<CounterMeter, number>> = { ...amounts }
    for (const rate of growth) larger[rate.meter] = addAmount(larger[rate.meter] ?? 0, amountAtUnits(rate, units))
    return larger
  }
  return { wanted: grown(wanted), smallest: grown(smallest) }
}

/** What a scope holds back on one limit of its path. */
export interface Hold {
  /** Of the scope whose limit it is. */
  readonly scopeId: string
  /** Of the limit, in the whole ledger. */
  readonly key: string
  readonly amount: number
}

/** How the holds of one scope are sized. */
export interface HoldSizing {
  /** A hold that is there already stays as it is where there is room, and is not brought to what is wanted now. */
  readonly keepsOwn?: boolean
}

/**
 * Sizes the holds of one scope on every limit of its path, as far as there is room, with those that it has already
 * (`own`) out of the way. `held` is the least that is held of each wanted meter over all limits that can end in a
 * closing call.
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

/** What of the holds of a scope lies on one limit. */
export function ownHold(own: readonly Hold[], key: string): number {
  for (let place = 0; place < own.length; place++) if (own[place]!.key === key) return own[place]!.amount
  return 0
}

/**
 * How much of `wanted` one scope may hold on a limit, with `ownHeld` of what is held there already its own: never room
 * that is spent, reserved or held by others. On counts all holds together take at most half of the limit, first come
 * first served; on tokens and cost that is a rule of admission, and an admitted conversation's hold may grow past it.
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
 * What is left of the holds on a limit after it was written, in the order in which they were taken, so that the latest
 * give way: as much as there is room for, on a count at most half of the limit, and nothing where it can no longer end
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
