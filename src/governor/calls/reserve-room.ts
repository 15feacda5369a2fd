import {
  type Breaches,
  isStintError,
  limitEventFromBreach,
  type ReserveOutcome,
  type ReserveRequest,
} from '../../core/index.ts'
import type { Refusal } from '../call.ts'
import { emitExceeded, ownerOf } from '../events/emit.ts'
import { changeLifecycle } from '../scope/change-lifecycle.ts'
import { CLAIMED } from '../scope/lifecycle.ts'
import { keepPromise } from '../scope/path/promised-needs.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { isLiving, type ScopeRuntime, subjectOf } from '../scope/scope-runtime.ts'
import { catchUp } from '../steering/catch-up.ts'
import { ScopePausedError } from '../steering/scope-paused-error.ts'
import { takeNewHolder } from '../steering/take-new-holder.ts'
import { blockOnPath } from './block-on-path.ts'
import { noteMessages } from './note-messages.ts'
import { isPassing } from './pending-writes.ts'
import type { GrantedRoom, RoomRequest } from './room-request.ts'
import { aheadInLine, behind, waitForRoom } from './waiting/wait-for-room.ts'

type Breached = Extract<ReserveOutcome, { kind: 'breached' }>

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
  let outcome = ahead === null ? await askPath(runtime, room, reservationId, waitMs > 0) : behind(ahead, room)
  if (outcome.kind === 'breached' && waitMs > 0) {
    outcome = await waitForRoom(runtime, room, outcome, {
      since,
      attempt: (patient) => {
        const call = { ...room.call, waitedMs: Math.round(clock.monotonicMs() - startedAtMs) }
        return askPath(runtime, { ...room, call }, reservationId, patient)
      },
    })
  }
  if (outcome.kind === 'closed') throw new ScopeClosedError(outcome.scopeId)
  if (outcome.kind === 'paused') throw new ScopePausedError(outcome.scopeId)
  if (outcome.kind === 'breached') {
    if (room.isTentative !== true) emitDenied(runtime, outcome, clock.monotonicMs() - startedAtMs)
    const { breaches, mayFitLater } = outcome
    return { kind: 'refused', breach: breaches[0], breaches, mayFitLater }
  }
  if (runtime.needs !== null) keepPromise(runtime)
  if (runtime.life.lifted !== null) changeLifecycle(runtime, CLAIMED)
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
  const { clock, pendingWrites, holder, store } = context
  const { amounts, elastic, messages, hold, isClosing = false, withLeft = false, isTentative = false } = room
  // Set one by one: every call does this, and spreading optional fields costs more than the rest of this function.
  const request: { -readonly [Field in keyof ReserveRequest]: ReserveRequest[Field] } = {
    reservationId,
    scopeId: runtime.id,
    amounts,
    patient,
    closing: isClosing,
    about: room.call,
    holder,
    atMs: clock.wallMs(),
  }
  if (elastic !== undefined) request.elastic = elastic
  if (messages !== undefined) request.messages = messages
  if (hold !== undefined) request.hold = hold
  if (isTentative) request.tentative = true
  if (withLeft) request.withLeft = true
  if (life.isOwned) request.activeMs = Math.floor(clocks.workedMs())
  try {
    const outcome = await store.reserve(request)
    // A closing call is not compared.
    const isCompared = !isClosing && (outcome.kind === 'granted' || outcome.kind === 'breached')
    if (isCompared && messages !== undefined) noteMessages(runtime, messages)
    return outcome
  } catch (error) {
    if (isPassing(error)) pendingWrites.add(() => store.release({ reservationId, atMs: clock.wallMs() }), reservationId)
    if (isAgain || !isStintError(error, 'holder_dead')) throw error
    await takeNewHolder(context, holder)
    // It may not have been adopted again.
    if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
    return askStore(runtime, room, reservationId, patient, true)
  }
}

function emitDenied(runtime: ScopeRuntime, { breaches, newlyExceeded }: Breached, waitedMs: number): void {
  const { hub, clock } = runtime.context
  emitExceeded(runtime, newlyExceeded)
  const [breach] = breaches
  const subject = subjectOf(ownerOf(runtime, breach.scope))
  const moment = { event: 'reservation_denied', atMs: clock.wallMs() } as const
  hub.emit({ ...limitEventFromBreach(moment, subject, breach), waited_ms: Math.floor(waitedMs) })
}
