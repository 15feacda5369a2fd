import { balanceKey, type CounterMeter, type LimitReading, type ReserveHold } from '../../src/core/index.ts'
import type { Step } from './play-history.ts'

type Reserve = Extract<Step['request'], { readonly call: 'reserve' }>

/** The closing call that a request must leave payable. The closing call itself leaves none. */
export function holdOf({ closing, hold }: Reserve): ReserveHold | undefined {
  return closing === true ? undefined : hold
}

/** What a request asks of a meter with so many units of its elastic part. */
export function askedWith({ amounts, elastic }: Reserve, meter: CounterMeter, units: number): number {
  const rate = elastic?.rates.find((each) => each.meter === meter)
  const cut = rate === undefined ? 0 : Math.ceil((units * rate.numerator) / rate.denominator)
  return (amounts[meter] ?? 0) + cut
}

export const isCount = (meter: string): boolean => ['toolCalls', 'modelCalls', 'spawns'].includes(meter)
export const isClosed = ({ limit }: LimitReading): boolean => limit.action === 'terminate' || limit.action === 'ask'

/** What the smallest closing call takes of a meter after an answer of so many units above the least. */
export function smallestWith({ smallest, growth }: ReserveHold, meter: CounterMeter, units: number): number {
  const rate = growth.find((each) => each.meter === meter)
  const longer = rate === undefined ? 0 : Math.ceil((Math.max(0, units) * rate.numerator) / rate.denominator)
  return (smallest[meter] ?? 0) + longer
}

/** Whether a call fits a limit, now and once everything in flight has settled, by the words of the design. */
export function roomByHand(
  reading: LimitReading,
  asked: number,
  hold: ReserveHold | undefined,
  own: number,
): { readonly fitsNow: boolean; readonly fitsLater: boolean } {
  const { limit, settled, reserved, held } = reading
  const others = held - own
  const free = limit.max - settled - reserved - others
  const returning = isCount(limit.meter) ? 0 : reserved
  const isKept = hold !== undefined && isClosed(reading)
  const needed = isKept ? neededByHand(reading, asked, hold, others) : asked
  const isCrowded = isKept && isCrowdedByHand(reading, hold, others)
  return {
    fitsNow: free >= needed && !isCrowded,
    fitsLater: free + returning >= needed && (!isCrowded || returning > 0),
  }
}

function neededByHand(
  { limit, settled, reserved }: LimitReading,
  asked: number,
  hold: ReserveHold,
  others: number,
): number {
  const meter = limit.meter as CounterMeter
  const [wanted, smallest, likely] = [hold.wanted[meter] ?? 0, hold.smallest[meter] ?? 0, hold.likely[meter] ?? 0]
  if (isCount(meter)) {
    const half = Math.floor(limit.max / 2)
    if (half < smallest) return asked
    return asked + Math.max(0, Math.min(wanted, half - others, limit.max - settled - reserved - others))
  }
  if (hold.isFirst) return asked + smallest
  const longer = likely * 20 > limit.max ? 0 : Math.floor(limit.max / 50)
  return Math.max(asked + smallest, likely + Math.min(wanted, smallest + longer))
}

/** A further conversation takes no more than its share: all closing calls together take half of a limit. */
export function isCrowdedByHand({ limit }: LimitReading, { isFirst, smallest }: ReserveHold, others: number): boolean {
  if (!isFirst || isCount(limit.meter) || others === 0) return false
  return 2 * (others + (smallest[limit.meter as CounterMeter] ?? 0)) > limit.max
}

/** The key of a limit that was read of a scope. */
export function keyOf(scopeId: string, { limit }: LimitReading): string {
  return balanceKey(scopeId, limit)
}
