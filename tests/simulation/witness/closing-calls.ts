import type { LimitReading, ReserveHold, ReserveRequest, ScopeReading } from '../../../src/core/index.ts'
import { demand } from '../world/violation.ts'
import { mayHoldNow } from './compare-scope.ts'
import { amountOf, COUNTERS, isCount, type Vector, vectorFrom, windowStart } from './meters.ts'
import type { WitnessLimit, WitnessScope } from './records.ts'
import { talliesOf } from './tallies.ts'

/** What a scope holds of what is held on a limit. The store does not tell it apart, so that it lies between two bounds. */
export interface OwnHold {
  readonly held: number
  readonly least: number
  readonly most: number
  /** Whether a clock that is ahead has opened a later window already, in which there must be room for a hold too. */
  readonly isBehind: boolean
}

/** What is held on every limit of the path, by key, before an operation of the scope. */
export function holdsBefore(scope: WitnessScope, atMs: number): ReadonlyMap<string, OwnHold> {
  const isAlone = (above: WitnessScope): boolean => !othersBelow(above, scope).some(mayHoldNow)
  return new Map(
    scope.path.flatMap((above) =>
      above.limits.map((limit): [string, OwnHold] => {
        const { key, held, per } = limit
        const isBehind = per !== null && talliesOf(above, limit).some(([start]) => start > windowStart(per, atMs))
        if (!scope.mayHold) return [key, { held, least: 0, most: 0, isBehind }]
        return [key, { held, least: isAlone(above) ? held : 0, most: held, isBehind }]
      }),
    ),
  )
}

function othersBelow(above: WitnessScope, scope: WitnessScope): readonly WitnessScope[] {
  const all = [above, ...above.children.flatMap((child) => othersBelow(child, scope))]
  return all.filter((each) => each !== scope)
}

type WrittenLimit = Pick<WitnessLimit, 'meter' | 'max' | 'action'>

/** Whether a breach of the limit ends in a closing call. */
export function isClosed({ action }: Pick<WrittenLimit, 'action'>): boolean {
  return action === 'terminate' || action === 'ask'
}

/** What a call asks of each counter with so many units of its output. */
export function askedWith({ amounts, elastic }: ReserveRequest, units: number): Vector {
  const asked = vectorFrom(amounts)
  for (const rate of elastic?.rates ?? []) asked[COUNTERS.indexOf(rate.meter)]! += amountOf(rate, units)
  return asked
}

/** The closing call that a request must leave payable: a closing call leaves none. */
export function holdOf({ closing = false, hold }: ReserveRequest): ReserveHold | undefined {
  return closing ? undefined : hold
}

/** What must be free on a limit, one's own hold included, for a call and the closing call after it. */
export function neededOn(limit: WrittenLimit, asked: number, hold: ReserveHold | undefined): number {
  if (hold === undefined || asked === 0 || !isClosed(limit)) return asked
  const [wanted, smallest, likely] = [hold.wanted, hold.smallest, hold.likely].map((amounts) => on(amounts, limit))
  if (isCount(limit.meter)) return asked
  const worst = asked + smallest!
  if (hold.isFirst) return worst
  const longer = likely! > limit.max / 20 ? 0 : Math.floor(limit.max / 50)
  return Math.max(worst, likely! + Math.min(wanted!, smallest! + longer))
}

/** The most that a hold on a count takes beside the call. */
export function mostHeldOn(limit: WrittenLimit, hold: ReserveHold | undefined): number {
  return hold !== undefined && isCount(limit.meter) && isClosed(limit) ? on(hold.wanted, limit) : 0
}

/** Whether a further conversation is kept out, where others hold so much. */
export function isCrowdedBy(others: number, limit: WrittenLimit, hold: ReserveHold | undefined): boolean {
  if (hold?.isFirst !== true || isCount(limit.meter) || !isClosed(limit)) return false
  return others > 0 && others + on(hold.smallest, limit) > Math.floor(limit.max / 2)
}

/**
 * A grant takes the hold of its conversation with it: on tokens and cost at least the smallest closing call, longer by
 * what was granted above the least; and no further conversation comes in where all holds would take more than half.
 */
export function demandHeld(
  request: ReserveRequest,
  units: number,
  before: ReadonlyMap<string, OwnHold>,
  limits: readonly (readonly [string, LimitReading])[],
): void {
  const hold = holdOf(request)
  if (hold === undefined) return
  const { reservationId: id, elastic } = request
  const asked = askedWith(request, elastic?.least ?? 0)
  for (const [key, { limit, settled, reserved, held }] of limits) {
    const own = before.get(key)
    if (own === undefined || limit.action === 'warn') continue
    demand(held <= own.held || settled + reserved + held <= limit.max, 'law 1', () => {
      return `${id} took a hold of what is spent of ${limit.meter}: ${held} of ${limit.max}`
    })
    const isTaken = COUNTERS.some((meter, index) => meter === limit.meter && asked[index]! > 0)
    if (!isTaken || isCount(limit.meter) || !isClosed(limit) || own.isBehind) continue
    const kept = held - own.held + own.most
    const least = smallestWith(hold, limit, units - (elastic?.least ?? 0))
    demand(kept >= least, 'holds', () => {
      return `${id} was granted with ${units} units, and ${kept} of ${limit.meter} is held for a closing call of ${least}`
    })
    demand(!isCrowdedBy(own.held - own.most, limit, hold), 'holds', () => {
      return `${id} was admitted where others hold ${own.held - own.most} of ${limit.max} ${limit.meter}`
    })
  }
}

/** The readings of a path, each with the key that the witness has for its limit. */
export function byKey(
  scope: WitnessScope,
  readings: readonly ScopeReading[],
  limitOf: (scope: WitnessScope, reading: LimitReading) => WitnessLimit | undefined,
): readonly (readonly [string, LimitReading])[] {
  return readings.flatMap(({ limits }, depth) =>
    limits.map((reading) => [limitOf(scope.path[depth]!, reading)?.key ?? '', reading] as const),
  )
}

function smallestWith({ smallest, growth }: ReserveHold, limit: WrittenLimit, units: number): number {
  const rate = growth.find(({ meter }) => meter === limit.meter)
  return on(smallest, limit) + (rate === undefined ? 0 : amountOf(rate, units))
}

/** What a closing call takes of a limit beside a call with so many units, as far as there is room. */
export function wholeWith({ wanted, growth }: ReserveHold, limit: WrittenLimit, units: number): number {
  const rate = growth.find(({ meter }) => meter === limit.meter)
  return on(wanted, limit) + (rate === undefined ? 0 : amountOf(rate, units))
}

function on(amounts: ReserveHold['wanted'], { meter }: WrittenLimit): number {
  return amounts[meter as keyof ReserveHold['wanted']] ?? 0
}
