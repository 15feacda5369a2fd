import {
  type Amounts,
  type Breaches,
  type ElasticAsk,
  isCounterMeter,
  isElasticMeter,
  type LeftOnPath,
  limitEventFromBreach,
  type Meter,
  type ReserveHold,
  type ReserveOutcome,
  type ReserveRequest,
} from '../../core/index.ts'
import type { Refusal } from '../call.ts'
import { ownerOf, tellExceeded } from '../events/tell.ts'
import { countWait } from '../scope/activity.ts'
import { apply } from '../scope/apply-fact.ts'
import { CLAIMED } from '../scope/lifecycle.ts'
import { keepPromise } from '../scope/promised-needs.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { activeMsOf, isLiving, pathIds, type ScopeRuntime, subjectOf } from '../scope/scope-runtime.ts'
import { catchUp } from '../steering/catch-up.ts'
import { ScopePausedError } from '../steering/scope-paused-error.ts'
import { underLivingHolder } from '../steering/take-new-holder.ts'
import { blockOnPath } from './block-on-path.ts'
import { isPassing } from './debts.ts'
import { noteMessages } from './note-messages.ts'
import type { CallInfo } from './settle-room.ts'
import { type Wait, waitInLine } from './waiting/wait-in-line.ts'

type Breached = Extract<ReserveOutcome, { kind: 'breached' }>

/** What is asked for, by whom, and how long it may take. */
export interface RoomRequest {
  readonly amounts: Amounts
  readonly elastic?: ElasticAsk
  readonly messages?: number
  readonly waitMs: number
  /** The closing call that it must leave payable. */
  readonly hold?: ReserveHold
  /** It will be asked for again where it does not fit: that is not told, and no limit acts yet. */
  readonly isTentative?: boolean
  /** The closing call: it is let in where a limit has halted everything else, and may use its scope's hold. */
  readonly isClosing?: boolean
  readonly tellsLeft?: boolean
  /** Aborted when whoever asks has gone away. */
  readonly signal?: AbortSignal
  /** Whether a wait that was too long is no reason for the limit to act. */
  readonly comesAgain?: boolean
  readonly call: CallInfo
}

/** Room that was granted, with how many units of its elastic part. */
export interface GrantedRoom {
  readonly kind: 'granted'
  readonly id: string
  readonly amounts: Amounts
  readonly units: number
  readonly left: LeftOnPath | null
}

/**
 * Reserves on the whole path. If it merely does not fit now, it waits its turn, as long as it may; then it takes what
 * there is, or is refused.
 */
export async function reserveRoom(runtime: ScopeRuntime, room: RoomRequest): Promise<GrantedRoom | Refusal> {
  const { context } = runtime
  const { waitMs, isClosing = false } = room
  const reservationId = context.createReservationId()
  const attempt = async (patient: boolean): Promise<ReserveOutcome> => {
    const blocked = blockOnPath(runtime, { isClosing })
    if (blocked !== null) return { kind: 'breached', mayFitLater: false, breaches: blocked, newlyExceeded: [] }
    const outcome = await underLivingHolder(context, () => {
      // It may not have been adopted again, where the holder had to be another.
      if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
      return askStore(runtime, storeRequest(runtime, room, reservationId, patient))
    })
    if (outcome.kind !== 'closed' && outcome.kind !== 'paused') return outcome
    // Somebody else has ended or paused it: from here on that is so here as well.
    await catchUpWith(runtime, outcome.scopeId)
    const breaches = blockOnPath(runtime, { isClosing })
    if (breaches === null) return askStore(runtime, storeRequest(runtime, room, reservationId, patient))
    return { kind: 'breached', mayFitLater: false, breaches, newlyExceeded: [] }
  }

  const startedAtMs = context.clock.monotonicMs()
  const since = context.line.moment()
  const ahead = waitMs > 0 ? aheadInLine(runtime, room) : null
  // Whoever comes later does not pass those who wait for the same already.
  let outcome = ahead === null ? await attempt(waitMs > 0) : behind(ahead, room)
  const untilMs = context.clock.wallMs() + Math.min(waitMs, LONGEST_WINDOW_WAIT_MS)
  if (outcome.kind === 'breached' && waitMs > 0 && isWorthWaiting(outcome, untilMs)) {
    tellExceeded(runtime, outcome.newlyExceeded)
    const wait = { meters: metersOf(room), since, attempt, untilMs }
    outcome = await waitForRoom(runtime, room, outcome.breaches, wait)
  }
  if (outcome.kind === 'closed') throw new ScopeClosedError(outcome.scopeId)
  if (outcome.kind === 'paused') throw new ScopePausedError(outcome.scopeId)
  if (outcome.kind === 'breached') {
    if (room.isTentative !== true) tellDenied(runtime, outcome, context.clock.monotonicMs() - startedAtMs)
    const { breaches, mayFitLater } = outcome
    return { kind: 'refused', breach: breaches[0], breaches, mayFitLater }
  }
  keepPromise(runtime)
  apply(runtime, CLAIMED)
  return {
    kind: 'granted',
    id: reservationId,
    amounts: outcome.amounts,
    units: outcome.units,
    left: outcome.left ?? null,
  }
}

// As long as a client may well be held without a byte.
const LONGEST_WINDOW_WAIT_MS = 60_000

/** Calls in flight may make room, or a window opens soon. */
function isWorthWaiting({ mayFitLater, breaches }: Breached, untilMs: number): boolean {
  if (mayFitLater) return true
  return breaches.every(({ meter, resetsAt }) => resetsAt !== null && resetsAt <= untilMs && isElasticMeter(meter))
}

/** Where the answer is lost, nothing was sent yet: whatever was set aside is given back when the store can be reached. */
async function askStore(runtime: ScopeRuntime, request: ReserveRequest): Promise<ReserveOutcome> {
  const { clock, debts, store } = runtime.context
  try {
    const outcome = await store.reserve(request)
    // A closing call is not compared.
    const isCompared = !request.closing && (outcome.kind === 'granted' || outcome.kind === 'breached')
    if (isCompared && request.messages !== undefined) noteMessages(runtime, request.messages)
    return outcome
  } catch (error) {
    const { reservationId } = request
    if (isPassing(error)) debts.add(() => store.release({ reservationId, atMs: clock.wallMs() }), reservationId)
    throw error
  }
}

async function catchUpWith(runtime: ScopeRuntime, scopeId: string): Promise<void> {
  const scope = runtime.rootToSelf.find(({ id }) => id === scopeId)
  if (scope !== undefined) await catchUp(scope)
}

function storeRequest(
  runtime: ScopeRuntime,
  room: RoomRequest,
  reservationId: string,
  patient: boolean,
): ReserveRequest {
  const { amounts, elastic, messages, hold, isClosing = false, tellsLeft = false, isTentative = false } = room
  return {
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
    holder: runtime.context.holder,
    ...activeMsOf(runtime),
    atMs: runtime.context.clock.wallMs(),
  }
}

function aheadInLine(runtime: ScopeRuntime, room: RoomRequest): Breaches | null {
  const { line } = runtime.context
  if (line.length === 0) return null
  return line.ahead({ lane: 'call', scopes: pathIds(runtime), meters: metersOf(room) })
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

/** Waits its turn. The clocks of the scope stand while that is all it does. */
async function waitForRoom(
  runtime: ScopeRuntime,
  { waitMs, signal: asker }: RoomRequest,
  first: Breaches,
  { untilMs, ...wait }: Pick<Wait<ReserveOutcome>, 'meters' | 'since' | 'attempt'> & { readonly untilMs: number },
): Promise<ReserveOutcome> {
  const { context, activity, work } = runtime
  const signals = asker === undefined ? [work.signal] : [work.signal, asker]
  const [breach] = first
  const subject = subjectOf(ownerOf(runtime, breach.scope))
  const moment = { event: 'reservation_waiting', atMs: context.clock.wallMs() } as const
  context.hub.emit({ ...limitEventFromBreach(moment, subject, breach), wait_ms: waitMs })
  const shortOf = (outcome: ReserveOutcome): Breaches | null =>
    outcome.kind === 'breached' && isWorthWaiting(outcome, untilMs) ? outcome.breaches : null
  const path = pathIds(runtime)
  countWait(activity, 1)
  try {
    return await waitInLine({ ...wait, waitMs, context, lane: 'call', scopes: path, path, signals, shortOf }, first)
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
