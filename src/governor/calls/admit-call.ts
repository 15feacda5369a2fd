import type { Refusal } from '../call.ts'
import { changeLifecycle } from '../scope/change-lifecycle.ts'
import { ADMITTED } from '../scope/lifecycle.ts'
import { limitsOnPath } from '../scope/path/path-standings.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { actOnBreach } from './act-on-breach.ts'
import { assertCallerThere } from './assert-caller-there.ts'
import { reserveRoom } from './reserve-room.ts'
import type { GrantedRoom, RoomRequest } from './room-request.ts'

// Each round is a request that a person granted: more than this in one call is a mistake.
const MOST_GRANTS = 100

/** Reserves room for a call. If there is none, does what the limit says: asks and continues, pauses, or ends. */
export async function admitCall(runtime: ScopeRuntime, room: RoomRequest): Promise<GrantedRoom | Refusal> {
  if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
  assertCallerThere(room.signal)
  let limits = limitsOnPath(runtime)
  let outcome = await reserveRoom(runtime, room)
  if (room.isTentative === true) return outcome
  for (let round = 0; round < MOST_GRANTS && outcome.kind === 'refused'; round++) {
    // The caller ended the wait, not the limit.
    assertCallerThere(room.signal)
    if (outcome.mayFitLater && room.comesAgain === true) return outcome
    // The limits may have changed while it asked, so the refusal is out of date.
    const isOutdated = limitsOnPath(runtime) !== limits
    if (
      !isOutdated &&
      !(await actOnBreach(runtime, outcome.breaches, { asker: room.signal, isFirst: room.hold?.isFirst === true }))
    ) {
      changeLifecycle(runtime, { kind: 'stopped', breaches: outcome.breaches })
      return outcome
    }
    limits = limitsOnPath(runtime)
    outcome = await reserveRoom(runtime, room)
  }
  // Whatever stopped the scope before, it continues, unless a concurrent call has reached the end meanwhile.
  const wasStopped = outcome.kind === 'granted' && runtime.life.stoppedBy !== null
  if (wasStopped && runtime.rootToSelf.every(({ life }) => life.halt === null)) changeLifecycle(runtime, ADMITTED)
  return outcome
}
