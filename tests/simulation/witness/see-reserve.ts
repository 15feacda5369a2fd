import type { LimitReading, ReserveRequest, ScopeReading } from '../../../src/core/index.ts'
import { demand } from '../world/violation.ts'
import type { Seen } from './apply-operation.ts'
import {
  askedWith,
  byKey,
  demandHeld,
  holdOf,
  holdsBefore,
  isClosed,
  isCrowdedBy,
  mostHeldOn,
  neededOn,
  type OwnHold,
  wholeWith,
} from './closing-calls.ts'
import { hasHolder, limitOf } from './compare-scope.ts'
import { amountOf, COUNTERS, isCount, type Vector, vectorFrom } from './meters.ts'
import type { WitnessReservation, WitnessScope } from './records.ts'
import { count, tallyOf } from './tallies.ts'
import { noteWaiter } from './waiters.ts'
import type { Books } from './witness.ts'

/** A grant fits every limit of the path and is as large as they allow; a refusal names a limit that has no room. */
export function seeReserve(books: Books, { request, outcome }: Seen<'reserve'>): void {
  const scope = books.scopes.get(request.scopeId)!
  noteWaiter(books.waiters, scope, { name: 'reserve', request, outcome })
  if (outcome.kind === 'granted') seeGranted(books, scope, request, outcome)
  else if (outcome.kind === 'closed') {
    demand(scope.path.some(isEnded), 'no false denial', () => `${scope.id} was refused as ended, and nothing has ended`)
  } else if (outcome.kind === 'paused') {
    demand(scope.path.some(isStopped), 'no false denial', () => `${scope.id} was refused as paused, and nothing is`)
  } else {
    const { mayFitLater, newlyExceeded } = outcome
    const before = holdsBefore(scope, request.atMs)
    demand(request.tentative !== true || newlyExceeded.length === 0, 'tentative', () => {
      return `${request.reservationId} may be asked for again for less, and its breach was announced`
    })
    books.touch(scope.id, request.atMs, (readings) => {
      demandUnchanged(scope, readings, request.reservationId)
      demandShort(scope, readings, request, { mayFitLater, before })
    })
  }
}

type Granted = Extract<Seen<'reserve'>['outcome'], { readonly kind: 'granted' }>

function seeGranted(books: Books, scope: WitnessScope, request: ReserveRequest, outcome: Granted): void {
  const { reservationId: id, holder, atMs, closing = false } = request
  const amounts = vectorFrom(outcome.amounts)
  const known = books.reservations.get(id)
  if (known !== undefined) {
    const isSame = outcome.duplicate && known.state === 'open' && String(known.amounts) === String(amounts)
    demand(isSame, 'reserved once', () => `${id} was granted again`)
    return
  }
  demand(!outcome.duplicate, 'reserved once', () => `${id} was said to be granted before`)
  demand(!scope.path.some(isEnded), 'admission', () => `${id} was granted on ${scope.id}, on whose path one has ended`)
  demand(closing || !scope.path.some(isStopped), 'admission', () => `${id} was granted on ${scope.id}, which is paused`)
  demandUnits(request, outcome, amounts)
  const record: WitnessReservation = {
    id,
    scope,
    holder,
    atMs,
    amounts,
    units: outcome.units,
    isClosing: closing,
    state: 'open',
    charged: null,
    isUsed: false,
    isKnown: true,
    expected: { kind: 'nothing' },
  }
  books.reservations.set(id, record)
  count(scope.path, 'reserved', amounts, atMs)
  const before = holdsBefore(scope, atMs)
  if (holdOf(request) !== undefined) scope.mayHold = true
  // A scope that is left behind holds nothing until it is adopted.
  const mayTakeHold = !scope.isOrphaned
  books.touch(scope.id, atMs, (readings) => {
    const limits = byKey(scope, readings, limitOf)
    demandWithin(id, amounts, readings)
    if (closing && !scope.children.some(hasHolder)) demandUsedUp(id, readings.at(-1)!)
    if (mayTakeHold) demandHeld(request, outcome.units, before, limits)
    demandStretched(request, outcome.units, before, limits)
  })
}

const isEnded = ({ status }: WitnessScope): boolean => status === 'ended'
const isStopped = ({ status, isAsking }: WitnessScope): boolean => status === 'paused' && !isAsking

/** What was granted is what was asked, with so many units of the part that may be cut. */
function demandUnits(
  { reservationId, amounts: fixed, elastic }: ReserveRequest,
  { units }: Granted,
  amounts: Vector,
): void {
  const wanted = vectorFrom(fixed)
  for (const rate of elastic?.rates ?? []) wanted[COUNTERS.indexOf(rate.meter)]! += amountOf(rate, units)
  const isWhole = elastic === undefined || (units >= elastic.least && units <= elastic.most)
  demand(isWhole && String(wanted) === String(amounts), 'clamp', () => {
    return `${reservationId} was granted ${amounts} with ${units} units, but that is ${wanted}`
  })
}

/** Law 1: after a grant, everything together is within every limit that is enforced. */
function demandWithin(id: string, amounts: Vector, readings: readonly ScopeReading[]): void {
  for (const { limits, id: scopeId } of readings) {
    for (const { limit, settled, reserved, held } of limits) {
      const asked = amounts[COUNTERS.indexOf(limit.meter as never)] ?? 0
      if (asked === 0 || limit.action === 'warn') continue
      demand(settled + reserved + held <= limit.max, 'law 1', () => {
        return `${id} was granted ${asked} on ${scopeId} ${limit.meter}: ${settled} + ${reserved} + ${held} of ${limit.max}`
      })
    }
  }
}

/** The closing call uses up the hold that was there for it. */
function demandUsedUp(id: string, { limits }: ScopeReading): void {
  for (const { held, limit } of limits) {
    demand(held === 0, 'holds', () => `the closing call ${id} was granted, and ${held} of ${limit.meter} is still held`)
  }
}

/** A call is cut no shorter than the path demands, with a whole closing call beside it. */
function demandStretched(
  request: ReserveRequest,
  units: number,
  before: ReadonlyMap<string, OwnHold>,
  limits: readonly (readonly [string, LimitReading])[],
): void {
  const { reservationId: id, elastic } = request
  if (elastic === undefined || units === elastic.most) return
  const hold = holdOf(request)
  const isFull = limits.some(([key, { limit, settled, reserved, held }]) => {
    const rate = elastic.rates.find(({ meter }) => meter === limit.meter)
    if (rate === undefined || limit.action === 'warn') return false
    const more = amountOf(rate, units + 1) - amountOf(rate, units)
    const own = before.get(key)
    if (hold === undefined || own === undefined || !isClosed(limit)) return more > limit.max - settled - reserved - held
    const whole = wholeWith(hold, limit, units + 1 - elastic.least)
    return more + whole + ROUNDED > limit.max - settled - reserved - (own.held - own.least)
  })
  demand(isFull, 'clamp', () => `${id} was cut to ${units} of ${elastic.most}, and there is room for more`)
}

// A call and its closing call are each rounded up.
const ROUNDED = 3

/** Law 3: a breach changes nothing. What is settled and reserved is compared anyway. */
function demandUnchanged(scope: WitnessScope, readings: readonly ScopeReading[], id: string): void {
  for (const [depth, { limits }] of readings.entries()) {
    for (const reading of limits) {
      const before = limitOf(scope.path[depth]!, reading)?.held
      demand(before === reading.held, 'law 3', () => {
        return `${id} was refused, and with it ${before} held of ${reading.limit.meter} became ${reading.held}`
      })
    }
  }
}

interface Refused {
  readonly mayFitLater: boolean
  readonly before: ReadonlyMap<string, OwnHold>
}

/** No false denial: some limit has no room now, and none to come where nobody may wait. */
function demandShort(
  scope: WitnessScope,
  readings: readonly ScopeReading[],
  request: ReserveRequest,
  { mayFitLater, before }: Refused,
): void {
  const { reservationId, elastic, closing = false, patient = false, atMs } = request
  if (request.messages !== undefined && !mayFitLater) return
  const hold = holdOf(request)
  const units = patient && mayFitLater ? (elastic?.enough ?? 0) : (elastic?.least ?? 0)
  const asked = askedWith(request, units)
  const isShort = readings.some((reading, depth) =>
    reading.limits.some((each) => {
      const { limit, held } = each
      const index = COUNTERS.indexOf(limit.meter as never)
      if (index < 0 || asked[index] === 0 || limit.action === 'warn') return false
      const { settled, reserved } = tallyOf(scope.path[depth]!, limit, atMs)
      const inFlight = mayFitLater || isCount(limit.meter) ? reserved[index]! : 0
      const others = held - (hold === undefined ? 0 : ownOf(before, scope.path[depth]!, each).least)
      const needed = neededOn(limit, asked[index]!, hold) + mostHeldOn(limit, hold)
      if (isCrowdedBy(others, limit, hold) && (mayFitLater || reserved[index] === 0)) return true
      // The closing call is decided beside its own hold, which nobody else can see.
      return settled[index]! + inFlight + others + needed > limit.max || (closing && held > 0)
    }),
  )
  demand(isShort, 'no false denial', () => `${reservationId} was refused on ${scope.id}, and every limit has room`)
  if (mayFitLater && !closing) demandHope(scope, readings, request, before)
}

const NO_HOLD: OwnHold = { held: 0, least: 0, most: 0, isBehind: false }

function ownOf(before: Refused['before'], scope: WitnessScope, reading: LimitReading): OwnHold {
  return before.get(limitOf(scope, reading)?.key ?? '') ?? NO_HOLD
}

/** Whoever is told to wait would fit if the calls in flight settled at the least that they can cost. */
function demandHope(
  scope: WitnessScope,
  readings: readonly ScopeReading[],
  request: ReserveRequest,
  before: Refused['before'],
): void {
  const { reservationId, elastic, atMs } = request
  const hold = holdOf(request)
  const asked = askedWith(request, elastic?.least ?? 0)
  for (const [depth, { limits, id }] of readings.entries()) {
    for (const each of limits) {
      const { limit, held } = each
      const index = COUNTERS.indexOf(limit.meter as never)
      if (index < 0 || asked[index] === 0 || limit.action === 'warn') continue
      const { settled, reserved } = tallyOf(scope.path[depth]!, limit, atMs)
      const certain = isCount(limit.meter) ? reserved[index]! : 0
      const others = held - (hold === undefined ? 0 : ownOf(before, scope.path[depth]!, each).most)
      const needed = neededOn(limit, asked[index]!, hold)
      demand(settled[index]! + certain + others + needed <= limit.max, 'no vain wait', () => {
        return `${reservationId} was told to wait for ${limit.meter} of ${id}, which can never have room for it`
      })
    }
  }
}
