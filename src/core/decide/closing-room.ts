import type { AmountVector } from '../amounts/amount-vector.ts'
import { endsInClosingCall } from '../limits/action.ts'
import { COUNTER_METERS, isElasticMeter } from '../meter.ts'
import { freeOn, type LimitBalance } from './balance.ts'
import { amountAtUnits, type ElasticRate, unitsWithin } from './elastic.ts'
import { type Hold, halfOf, holdWithin, ownHold } from './hold.ts'

/** The closing call of a conversation, while one of its calls is being decided. */
export interface ClosingRoom {
  readonly likely: AmountVector
  readonly wanted: AmountVector
  readonly smallest: AmountVector
  readonly growth: readonly ElasticRate[]
  readonly isFirst: boolean
  /** What the conversation already holds; a call may reserve from it. */
  readonly own: readonly Hold[]
}

const ELASTIC: readonly boolean[] = COUNTER_METERS.map(isElasticMeter)

/** What is left to grant to this conversation. Includes its own hold if the limit can end in a closing call. */
export function freeFor(balance: LimitBalance, closing: ClosingRoom | undefined): number {
  return closing === undefined ? freeOn(balance) : freeOn(balance) + ownHold(closing.own, balance.key)
}

/**
 * What must be free on a limit for a call that asks for `least` of it: the worst case of the call at its smallest cap,
 * plus the smallest closing call. After the first call, also its likely amount plus a longer closing call. On a count,
 * the hold is what half of the limit allows.
 */
export function neededOn(balance: LimitBalance, least: AmountVector, closing: ClosingRoom | undefined): number {
  const { index } = balance
  const asked = least[index]!
  if (closing === undefined || asked === 0 || !endsInClosingCall(balance.limit.action)) return asked
  const smallest = closing.smallest[index]!
  if (!ELASTIC[index]) {
    return asked + holdWithin(balance, ownHold(closing.own, balance.key), closing.wanted[index]!, smallest)
  }
  const worst = asked + smallest
  if (closing.isFirst) return worst
  return Math.max(worst, closing.likely[index]! + keptOn(balance, closing))
}

/**
 * What a grant leaves free for its closing call on a limit of tokens or cost, in addition to the likely amount of the
 * call.
 */
export function keptOn({ index, limit: { action, max } }: LimitBalance, closing: ClosingRoom): number {
  if (!endsInClosingCall(action)) return 0
  // Judged by the likely amount, which is the same for every cap: a larger cap never needs less.
  const isLarge = closing.likely[index]! <= max / CALLS_OF_A_LARGE_LIMIT
  const longer = isLarge ? Math.floor(max / SHARE_FOR_LONGER_CLOSING) : 0
  return Math.min(closing.wanted[index]!, closing.smallest[index]! + longer)
}

// A closing call longer than the smallest may take at most a fiftieth of a limit, and only of one that pays for many
// calls. On a small budget the work needs it.
const SHARE_FOR_LONGER_CLOSING = 50
const CALLS_OF_A_LARGE_LIMIT = 20

/**
 * The units of output, from `least` to `most`, that `room` pays for on a limit, including what the closing call grows
 * by for each unit above the least.
 */
export function unitsBeside(
  balance: LimitBalance,
  rate: ElasticRate,
  room: number,
  { least, most }: { readonly least: number; readonly most: number },
  closing: ClosingRoom,
): number {
  let growth: ElasticRate | undefined
  for (const each of closing.growth) if (each.meter === rate.meter) growth = each
  if (growth === undefined || !endsInClosingCall(balance.limit.action)) return unitsWithin(rate, room, most)
  const above = room - amountAtUnits(rate, least)
  if (above < 0) return unitsWithin(rate, room, least)
  return least + unitsWithin(sumOf(rate, growth), Math.max(0, above - 1), most - least)
}

/** The sum is rounded up once and its parts once each; the one subtracted below makes up for that. */
function sumOf(left: ElasticRate, right: ElasticRate): ElasticRate {
  const numerator = left.numerator * right.denominator + right.numerator * left.denominator
  const denominator = left.denominator * right.denominator
  if (Number.isSafeInteger(numerator) && Number.isSafeInteger(denominator)) return { ...left, numerator, denominator }
  // Too large to be exact: one part in a million more is on the safe side.
  const perUnit = left.numerator / left.denominator + right.numerator / right.denominator
  return { ...left, numerator: Math.ceil(perUnit * 1_000_001), denominator: 1_000_000 }
}

/**
 * Whether the closing calls of other conversations take so much of a limit that no further conversation is admitted:
 * together with its own they may take half. The first conversation is admitted wherever it fits.
 */
export function isCrowded(balance: LimitBalance, closing: ClosingRoom | undefined): boolean {
  if (closing?.isFirst !== true || !ELASTIC[balance.index] || !endsInClosingCall(balance.limit.action)) return false
  const others = balance.held - ownHold(closing.own, balance.key)
  return others > 0 && others + closing.smallest[balance.index]! > halfOf(balance.limit.max)
}

/** The smallest maximum at which the call would fit on a limit of tokens or cost; `null` for a count. */
export function leastLimit(
  balance: LimitBalance,
  least: AmountVector,
  closing: ClosingRoom | undefined,
): number | null {
  const { index, limit, counter, held } = balance
  if (!ELASTIC[index]) return null
  const own = closing === undefined ? 0 : ownHold(closing.own, balance.key)
  const fitting = counter.settled + counter.reserved + held - own + neededOn(balance, least, closing)
  if (!isCrowded(balance, closing)) return Math.max(fitting, limit.max)
  return Math.max(fitting, 2 * (held - own + closing!.smallest[index]!))
}
