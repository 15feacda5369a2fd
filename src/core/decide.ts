import { isEnforced } from './action.ts'
import { type AmountVector, counterIndex } from './amount-vector.ts'
import { addAmount } from './amounts.ts'
import { type LimitBalance, remainingOf, type ScopeBalance } from './balance.ts'
import { type Breach, breachOf, describeBreach } from './breach.ts'
import { type ClosingRoom, freeFor, isCrowded, keptOn, leastLimit, neededOn, unitsBeside } from './closing-room.ts'
import { amountAtUnits, type ElasticAsk } from './elastic.ts'
import { COUNTER_METERS, isCertainInFlight } from './meter.ts'

/** What a call asks of every scope on its path. */
export interface Ask {
  /** What it takes whatever happens. */
  readonly fixed: AmountVector
  /** The part that can be cut, if there is one. */
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
 * Fits with so many units of the elastic part, or does not. `mayFitLater`: it would fit if the calls in flight
 * settled at the least they can cost, so that whoever asks may wait; then the breaches are those that stand now.
 * Otherwise they are those that no waiting mends.
 */
export type Decision =
  | { readonly kind: 'fits'; readonly units: number }
  | { readonly kind: 'breached'; readonly mayFitLater: boolean; readonly breaches: Breaches }

/**
 * The rule of the ledger: whether `ask` fits every limit on the path. Ordered root first and by meter within a scope,
 * so that the outermost breach leads. Limits that only warn are no part of it.
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

/** The amounts of the ask with so many units of its elastic part. */
export function withUnits(fixed: AmountVector, elastic: ElasticAsk, units: number): number[] {
  const vector = fixed.slice()
  for (const rate of elastic.rates) {
    const index = counterIndex(rate.meter)
    vector[index] = addAmount(vector[index]!, amountAtUnits(rate, units))
  }
  return vector
}

/** Whether a limit has room now, may have it when the calls in flight settle, or never. */
function roomFor(balance: LimitBalance, asks: AmountVector, closing: ClosingRoom | undefined): Room {
  const { index } = balance
  // What fits is by far the most frequent, so that is asked first, and whether the limit only warns afterwards.
  if (index < 0 || asks[index] === 0) return FITS
  const left = freeFor(balance, closing) - neededOn(balance, asks, closing)
  const crowded = isCrowded(balance, closing)
  if ((left >= 0 && !crowded) || !isEnforced(balance.limit.action)) return FITS
  const returning = mayComeFree(balance)
  if (crowded && returning === 0) return NEVER
  return left + returning >= 0 ? BUSY : NEVER
}

/** What calls in flight may yet give back. An admitted call counts, and a hold is nobody's to wait for. */
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
      // What it holds already is its own, and is not asked for again, but for what an overrun has taken of it.
      const own = Math.max(0, freeFor(balance, closing)) - remainingOf(balance)
      const asked = neededOn(balance, asks, closing) - own
      breaches.push(breachOf(scope, balance, asked, { leastLimit: leastLimit(balance, asks, closing), firstOf }))
    }
  }
  return breaches
}

/** The nearest `messages` limit speaks for the whole path: an inner conversation is not the outer one's. */
function breachOfMessages(rootToLeaf: readonly ScopeBalance[], messages: number): Breach | null {
  for (const scope of rootToLeaf.toReversed()) {
    const nearest = scope.limits.filter(({ limit }) => limit.meter === 'messages')
    if (nearest.length === 0) continue
    // An operator's ceiling may stand beside a limit that only warns.
    const breached = nearest.find(({ limit }) => isEnforced(limit.action) && messages >= limit.max)
    if (breached === undefined) return null
    const { limit } = breached
    const standing = { settled: messages, reserved: 0, held: 0, asked: 1, remaining: 0, resetsAt: null }
    return describeBreach(scope, limit, standing)
  }
  return null
}

function insertByPath(breaches: Breach[], breach: Breach, rootToLeaf: readonly ScopeBalance[]): void {
  const depthOf = (each: Breach): number => rootToLeaf.findIndex((scope) => scope.id === each.scope)
  const place = breaches.findIndex((each) => depthOf(each) > depthOf(breach))
  breaches.splice(place < 0 ? breaches.length : place, 0, breach)
}

/**
 * The least fits. Gives the elastic part what the path can pay beside a whole closing call, or says that it is worth
 * waiting for more.
 */
function stretch(rootToLeaf: readonly ScopeBalance[], ask: Ask, elastic: ElasticAsk): Decision {
  const { fixed, closing } = ask
  const now = payableUnits(rootToLeaf, ask, elastic, freeFor)
  if (now >= elastic.enough || ask.patient !== true) return { kind: 'fits', units: now }
  const later = payableUnits(rootToLeaf, ask, elastic, (balance) => freeFor(balance, closing) + mayComeFree(balance))
  if (later <= now) return { kind: 'fits', units: now }
  const wished = withUnits(fixed, elastic, elastic.enough)
  const breaches = breachesOn(rootToLeaf, wished, closing, (found) => found !== FITS)
  // Short of no more than a whole closing call, which may shrink: then it takes what there is.
  if (breaches.length === 0) return { kind: 'fits', units: now }
  return { kind: 'breached', mayFitLater: true, breaches: breaches as [Breach, ...Breach[]] }
}

/** Never below the least: where a whole closing call does not fit beside that, the smallest does. */
function payableUnits(
  rootToLeaf: readonly ScopeBalance[],
  { fixed, closing }: Ask,
  elastic: ElasticAsk,
  freeOf: (balance: LimitBalance, closing: ClosingRoom | undefined) => number,
): number {
  let units = elastic.most
  for (const scope of rootToLeaf) {
    for (const balance of scope.limits) {
      const rate = elastic.rates.find(({ meter }) => meter === balance.limit.meter)
      if (rate === undefined || !isEnforced(balance.limit.action)) continue
      const room = freeOf(balance, closing) - keptOn(balance, closing) - fixed[balance.index]!
      units = unitsBeside(balance, rate, room, { least: elastic.least, most: units }, closing)
    }
  }
  return Math.max(units, elastic.least)
}
