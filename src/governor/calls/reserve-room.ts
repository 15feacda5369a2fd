import {
  type Amounts,
  type Breaches,
  type ElasticAsk,
  isCounterMeter,
  isElasticMeter,
  isStintError,
  type LeftOnPath,
  limitEventFromBreach,
  type Meter,
  type ReserveHold,
  type ReserveOutcome,
} from '../../core/index.ts'
import type { Refusal } from '../call.ts'
import { ownerOf, tellExceeded } from '../events/tell.ts'
import { apply } from '../scope/apply-fact.ts'
import { countWait } from '../scope/clocks/activity.ts'
import { CLAIMED } from '../scope/lifecycle.ts'
import { keepPromise } from '../scope/path/promised-needs.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { isLiving, type ScopeRuntime, subjectOf } from '../scope/scope-runtime.ts'
import { catchUp } from '../steering/catch-up.ts'
import { ScopePausedError } from '../steering/scope-paused-error.ts'
import { takeNewHolder } from '../steering/take-new-holder.ts'
import { blockOnPath } from './block-on-path.ts'
import { isPassing } from './debts.ts'
import { noteMessages } from './note-messages.ts'
import type { CallInfo } from './settle-room.ts'
import { waitInLine } from './waiting/wait-in-line.ts'
import type { LineMoment } from './waiting/waiting-line.ts'

type Breached = Extract<ReserveOutcome, { kind: 'breached' }>

/** What to reserve, for whom, and how long it may wait. */
export interface RoomRequest {
  readonly amounts: Amounts
  readonly elastic?: ElasticAsk | undefined
  readonly messages?: number | undefined
  readonly waitMs: number
  /** The closing call that must stay affordable. */
  readonly hold?: ReserveHold | undefined
  /** It will be requested again if it does not fit: the refusal is not reported, and no limit acts yet. */
  readonly isTentative?: boolean
  /** The closing call: admitted even if a limit has halted everything else, and may use its scope's hold. */
  readonly isClosing?: boolean
  readonly tellsLeft?: boolean | undefined
  /** Aborted when the caller has gone away. */
  readonly signal?: AbortSignal | undefined
  /** Whether no limit acts when the wait was too long. */
  readonly comesAgain?: boolean | undefined
  readonly call: CallInfo
}

/** Room that was granted, and how many units of its elastic part. */
export interface GrantedRoom {
  readonly kind: 'granted'
  readonly id: string
  readonly amounts: Amounts
  readonly units: number
  readonly left: LeftOnPath | null
}

/**
 * Reserves on the whole path. If the request does not fit right now, it queues for as long as it may; then it takes
 * what there is, or is refused.
 */
export async function reserveRoom(runtime: ScopeRuntime, room: RoomRequest): Promise<GrantedRoom | Refusal> {
  const { clock, createReservationId, line } = runtime.context
  const { waitMs } = room
  const reservationId = createReservationId()
  const startedAtMs = clock.monotonicMs()
  const since = line.moment
  const ahead = waitMs > 0 && line.waiting.size > 0 ? aheadInLine(runtime, room) : null
  // Later callers do not overtake those already waiting for the same room.
  let outcome = ahead === null ? await askPath(runtime, room, reservationId, waitMs > 0) : behind(ahead, room)
  if (outcome.kind === 'breached' && waitMs > 0) {
    outcome = await waitForRoom(runtime, room, outcome, { reservationId, since })
  }
  if (outcome.kind === 'closed') throw new ScopeClosedError(outcome.scopeId)
  if (outcome.kind === 'paused') throw new ScopePausedError(outcome.scopeId)
  if (outcome.kind === 'breached') {
    if (room.isTentative !== true) tellDenied(runtime, outcome, clock.monotonicMs() - startedAtMs)
    const { breaches, mayFitLater } = outcome
    return { kind: 'refused', breach: breaches[0], breaches, mayFitLater }
  }
  if (runtime.needs !== null) keepPromise(runtime)
  if (runtime.life.lifted !== null) apply(runtime, CLAIMED)
  const { amounts, units, left = null } = outcome
  return { kind: 'granted', id: reservationId, amounts, units, left }
}

/** Asks the store, unless a scope on the path is halted, paused or closed, here or by another process. */
async function askPath(
  runtime: ScopeRuntime,
  room: RoomRequest,
  reservationId: string,
  patient: boolean,
): Promise<ReserveOutcome> {
  const blocked = blockOnPath(runtime, room)
  if (blocked !== null) return breachedBy(blocked)
  const outcome = await askStore(runtime, room, reservationId, patient)
  if (outcome.kind !== 'closed' && outcome.kind !== 'paused') return outcome
  // Another process ended or paused it: apply that here.
  const scope = runtime.rootToSelf.find(({ id }) => id === outcome.scopeId)
  if (scope !== undefined) await catchUp(scope)
  const breaches = blockOnPath(runtime, room)
  return breaches === null ? askStore(runtime, room, reservationId, patient) : breachedBy(breaches)
}

function breachedBy(breaches: Breaches): ReserveOutcome {
  return { kind: 'breached', mayFitLater: false, breaches, newlyExceeded: [] }
}

/**
 * Asks again under a new holder if the current one was declared dead. If the answer is lost, nothing was sent yet, and
 * whatever was reserved is released once the store can be reached.
 */
async function askStore(
  runtime: ScopeRuntime,
  room: RoomRequest,
  reservationId: string,
  patient: boolean,
  isAgain = false,
): Promise<ReserveOutcome> {
  const { context, life, clocks } = runtime
  const { clock, debts, holder, store } = context
  const { amounts, elastic, messages, hold, isClosing = false, tellsLeft = false, isTentative = false } = room
  try {
    const outcome = await store.reserve({
      reservationId,
      scopeId: runtime.id,
      amounts,
      ...(elastic === undefined ? {} : { elastic }),
      ...(messages === undefined ? {} : { messages }),
      patient,
      ...(hold === undefined ? {} : { hold }),
      closing: isClosing,
      ...(isTentative ? { tentative: true } : {}),
      ...(tellsLeft ? { tellsLeft } : {}),
      holder,
      ...(life.isOwned ? { activeMs: Math.floor(clocks.workedMs()) } : {}),
      atMs: clock.wallMs(),
    })
    // A closing call is not compared.
    const isCompared = !isClosing && (outcome.kind === 'granted' || outcome.kind === 'breached')
    if (isCompared && messages !== undefined) noteMessages(runtime, messages)
    return outcome
  } catch (error) {
    if (isPassing(error)) debts.add(() => store.release({ reservationId, atMs: clock.wallMs() }), reservationId)
    if (isAgain || !isStintError(error, 'holder_dead')) throw error
    await takeNewHolder(context, holder)
    // It may not have been adopted again.
    if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
    return askStore(runtime, room, reservationId, patient, true)
  }
}

// A client can probably be kept waiting this long without a byte.
const LONGEST_WINDOW_WAIT_MS = 60_000

/** Whether calls in flight may free room, or a window opens soon. */
function isWorthWaiting({ mayFitLater, breaches }: Breached, untilMs: number): boolean {
  if (mayFitLater) return true
  return breaches.every(({ meter, resetsAt }) => resetsAt !== null && resetsAt <= untilMs && isElasticMeter(meter))
}

function aheadInLine(runtime: ScopeRuntime, room: RoomRequest): Breaches | null {
  return runtime.context.line.ahead({ lane: 'call', scopes: runtime.pathIds, meters: metersOf(room) })
}

function metersOf({ amounts, elastic }: RoomRequest): readonly Meter[] {
  const fixed = Object.entries(amounts).filter(([, amount]) => amount !== 0)
  const stretched = elastic?.rates.map(({ meter }) => meter) ?? []
  return [...new Set([...fixed.map(([meter]) => meter as Meter), ...stretched])]
}

function behind([first, ...others]: Breaches, { amounts }: RoomRequest): ReserveOutcome {
  const asked = isCounterMeter(first.meter) ? (amounts[first.meter] ?? 0) : 0
  return { kind: 'breached', mayFitLater: true, breaches: [{ ...first, asked }, ...others], newlyExceeded: [] }
}

/** Queues for room if that is worthwhile. The scope's clocks are stopped while it does nothing else. */
async function waitForRoom(
  runtime: ScopeRuntime,
  room: RoomRequest,
  first: Breached,
  { reservationId, since }: { readonly reservationId: string; readonly since: LineMoment },
): Promise<ReserveOutcome> {
  const { context, activity, work, pathIds: path } = runtime
  const { waitMs, signal: asker } = room
  const untilMs = context.clock.wallMs() + Math.min(waitMs, LONGEST_WINDOW_WAIT_MS)
  if (!isWorthWaiting(first, untilMs)) return first
  tellExceeded(runtime, first.newlyExceeded)
  const signals = asker === undefined ? [work.signal] : [work.signal, asker]
  const [breach] = first.breaches
  const subject = subjectOf(ownerOf(runtime, breach.scope))
  const moment = { event: 'reservation_waiting', atMs: context.clock.wallMs() } as const
  context.hub.emit({ ...limitEventFromBreach(moment, subject, breach), wait_ms: waitMs })
  const wait = { waitMs, context, lane: 'call', scopes: path, path, signals, meters: metersOf(room), since } as const
  const attempt = (patient: boolean): Promise<ReserveOutcome> => askPath(runtime, room, reservationId, patient)
  const shortOf = (outcome: ReserveOutcome): Breaches | null =>
    outcome.kind === 'breached' && isWorthWaiting(outcome, untilMs) ? outcome.breaches : null
  countWait(activity, 1)
  try {
    return await waitInLine({ ...wait, attempt, shortOf }, first.breaches)
  } finally {
    countWait(activity, -1)
  }
}

function tellDenied(runtime: ScopeRuntime, { breaches, newlyExceeded }: Breached, waitedMs: number): void {
  const { hub, clock } = runtime.context
  tellExceeded(runtime, newlyExceeded)
  const [breach] = breaches
  const subject = subjectOf(ownerOf(runtime, breach.scope))
  const moment = { event: 'reservation_denied', atMs: clock.wallMs() } as const
  hub.emit({ ...limitEventFromBreach(moment, subject, breach), waited_ms: Math.floor(waitedMs) })
}
