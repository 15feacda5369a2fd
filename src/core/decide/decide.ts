import { type AmountVector, counterIndex } from '../amounts/amount-vector.ts'
import { addAmount } from '../amounts/amounts.ts'
import { isEnforced } from '../limits/action.ts'
import { type Breach, breachOf, describeBreach } from '../limits/breach.ts'
import { COUNTER_METERS, isCertainInFlight } from '../meter.ts'
import { freeOn, type LimitBalance, remainingOf, type ScopeBalance } from './balance.ts'
import { type ClosingRoom, freeFor, isCrowded, keptOn, leastLimit, neededOn, unitsBeside } from './closing-room.ts'
import { amountAtUnits, type ElasticAsk, unitsWithin } from './elastic.ts'

/** What a call asks of every scope on its path. */
export interface Ask {
  /** The fixed amounts. */
  readonly fixed: AmountVector
  /** The part that can be reduced, if any. */
  readonly elastic?: ElasticAsk | undefined
  /** The length of the conversation, compared with the nearest `messages` limit. */
  readonly messages?: number | undefined
  /** Whether the caller would rather wait than have its output cut below `elastic.enough`. */
  readonly patient?: boolean | undefined
  /** The closing call of its conversation, which must stay payable. */
  readonly closing?: ClosingRoom | undefined
}

/** At least one breach, the outermost first. */
export type Breaches = readonly [Breach, ...Breach[]]

/**
 * Fits with this many units of the elastic part, or doesn't. With `mayFitLater` it would fit if the calls in flight
 * settled at their minimum, so the caller may wait, and the breaches are the current ones. Otherwise they are those
 * that waiting can't resolve.
 */
export type Decision =
  | { readonly kind: 'fits'; readonly units: number }
  | { readonly kind: 'breached'; readonly mayFitLater: boolean; readonly breaches: Breaches }

/**
 * The rule of the ledger: whether `ask` fits every limit on the path. Breaches are ordered root first and by meter
 * within a scope, so the outermost comes first. Limits that only warn are ignored.
 */
export function decide(rootToLeaf: readonly ScopeBalance[], ask: Ask): Decision {
  const least = ask.elastic === undefined ? ask.fixed : withUnits(ask.fixed, ask.elastic, ask.elastic.least)
  let room: Room = FITS
  for (let depth = 0; depth < rootToLeaf.length; depth++) {
    const { limits } = rootToLeaf[depth]!
    for (let place = 0; place < limits.length; place++) {
      const found = roomFor(limits[place]!, least, ask.closing)
      if (found > room) room = found
    }
  }
  const messages = ask.messages === undefined ? null : breachOfMessages(rootToLeaf, ask.messages)
  if (messages !== null) room = NEVER
  if (room === FITS) return ask.elastic === undefined ? WHOLE : stretch(rootToLeaf, ask, ask.elastic)

  const breaches = breachesOn(rootToLeaf, least, ask.closing, (found) => found === room)
  if (messages !== null) insertByPath(breaches, messages, rootToLeaf)
  return { kind: 'breached', mayFitLater: room === BUSY, breaches: breaches as [Breach, ...Breach[]] }
}

type Room = 0 | 1 | 2
const FITS: Room = 0
const BUSY: Room = 1
const NEVER: Room = 2
const WHOLE: Decision = { kind: 'fits', units: 0 }

const CERTAIN: readonly boolean[] = COUNTER_METERS.map(isCertainInFlight)

/** The amounts of the ask with this many units of its elastic part. */
export function withUnits(fixed: AmountVector, elastic: ElasticAsk, units: number): number[] {
  const vector = fixed.slice()
  for (const rate of elastic.rates) {
    const index = counterIndex(rate.meter)
    vector[index] = addAmount(vector[index]!, amountAtUnits(rate, units))
  }
  return vector
}

/** Whether a limit has room now, may have room when calls in flight settle, or never. */
function roomFor(balance: LimitBalance, asks: AmountVector, closing: ClosingRoom | undefined): Room {
  const { index } = balance
  // Most calls fit, so that is checked first and the limit's action afterwards.
  if (index < 0 || asks[index] === 0) return FITS
  if (closing === undefined && freeOn(balance) >= asks[index]!) return FITS
  const left = freeFor(balance, closing) - neededOn(balance, asks, closing)
  const crowded = isCrowded(balance, closing)
  if ((left >= 0 && !crowded) || !isEnforced(balance.limit.action)) return FITS
  const returning = mayComeFree(balance)
  if (crowded && returning === 0) return NEVER
  return left + returning >= 0 ? BUSY : NEVER
}

/** What calls in flight may give back. An admitted call has already counted, and holds aren't worth waiting for. */
function mayComeFree({ index, counter }: LimitBalance): number {
  return CERTAIN[index] ? 0 : counter.reserved
}

function breachesOn(
  rootToLeaf: readonly ScopeBalance[],
  asks: AmountVector,
  closing: ClosingRoom | undefined,
  counts: (room: Room) => boolean,
): Breach[] {
  const breaches: Breach[] = []
  const firstOf = closing?.isFirst === true ? rootToLeaf.at(-1)!.path : null
  for (const scope of rootToLeaf) {
    for (const balance of scope.limits) {
      if (!counts(roomFor(balance, asks, closing))) continue
      // Its own hold isn't requested again, except for the part that an overrun has used up.
      const own = Math.max(0, freeFor(balance, closing)) - remainingOf(balance)
      const asked = neededOn(balance, asks, closing) - own
      breaches.push(breachOf(scope, balance, asked, { leastLimit: leastLimit(balance, asks, closing), firstOf }))
    }
  }
  return breaches
}

/** Only the nearest `messages` limit applies: an inner conversation isn't part of the outer one. */
function breachOfMessages(rootToLeaf: readonly ScopeBalance[], messages: number): Breach | null {
  let isLimited = false
  for (let depth = rootToLeaf.length - 1; depth >= 0 && !isLimited; depth--) {
    const scope = rootToLeaf[depth]!
    for (const { limit } of scope.limits) {
      if (limit.meter !== 'messages') continue
      isLimited = true
      // An operator's ceiling may exist alongside a limit that only warns.
      if (!isEnforced(limit.action) || messages < limit.max) continue
      const standing = { settled: messages, reserved: 0, held: 0, asked: 1, remaining: 0, resetsAt: null }
      return describeBreach(scope, limit, standing)
    }
  }
  return null
}

function insertByPath(breaches: Breach[], breach: Breach, rootToLeaf: readonly ScopeBalance[]): void {
  const depthOf = (each: Breach): number => rootToLeaf.findIndex((scope) => scope.id === each.scope)
  const place = breaches.findIndex((each) => depthOf(each) > depthOf(breach))
  breaches.splice(place < 0 ? breaches.length : place, 0, breach)
}

/**
 * The minimum fits. Grants as many units as the path can pay for together with a whole closing call, or reports that
 * waiting for more is worthwhile.
 */
function stretch(rootToLeaf: readonly ScopeBalance[], ask: Ask, elastic: ElasticAsk): Decision {
  const { fixed, closing } = ask
  const now = payableUnits(rootToLeaf, ask, elastic, false)
  if (now >= elastic.enough || ask.patient !== true) return { kind: 'fits', units: now }
  const later = payableUnits(rootToLeaf, ask, elastic, true)
  if (later <= now) return { kind: 'fits', units: now }
  const wished = withUnits(fixed, elastic, elastic.enough)
  const breaches = breachesOn(rootToLeaf, wished, closing, (found) => found !== FITS)
  // Only a whole closing call is missing, and that can shrink: take what is available.
  if (breaches.length === 0) return { kind: 'fits', units: now }
  return { kind: 'breached', mayFitLater: true, breaches: breaches as [Breach, ...Breach[]] }
}

/**
 * Never below the least: if a whole closing call doesn't fit as well, the smallest does. `isLater` includes what calls
 * in flight may give back.
 */
function payableUnits(
  rootToLeaf: readonly ScopeBalance[],
  { fixed, closing }: Ask,
  { least, most, rates }: ElasticAsk,
  isLater: boolean,
): number {
  let units = most
  for (const { limits } of rootToLeaf) {
    for (const balance of limits) {
      for (const rate of rates) {
        if (rate.meter !== balance.limit.meter || !isEnforced(balance.limit.action)) continue
        const returning = isLater ? mayComeFree(balance) : 0
        const free = closing === undefined ? freeOn(balance) : freeFor(balance, closing) - keptOn(balance, closing)
        const room = free + returning - fixed[balance.index]!
        units =
          closing === undefined
            ? unitsWithin(rate, room, units)
            : unitsBeside(balance, rate, room, { least, most: units }, closing)
      }
    }
  }
  return Math.max(units, least)
}
