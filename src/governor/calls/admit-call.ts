import type { Limit } from '../../core/index.ts'
import type { Refusal } from '../call.ts'
import { apply } from '../scope/apply-fact.ts'
import { ADMITTED } from '../scope/lifecycle.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { actOnBreach } from './act-on-breach.ts'
import { assertCallerThere } from './assert-caller-there.ts'
import { type GrantedRoom, type RoomRequest, reserveRoom } from './reserve-room.ts'

// Each round is a request that a person granted: more than this many in one call is a mistake.
const MOST_GRANTS = 100

/** Reserves room for a call, and does what the limit says where there is none: asks and goes on, pauses, or ends. */
export async function admitCall(runtime: ScopeRuntime, room: RoomRequest): Promise<GrantedRoom | Refusal> {
  if (!isLiving(runtime)) throw new ScopeClosedError(runtime.id)
  assertCallerThere(room.signal)
  let limits = limitsAbove(runtime)
  let outcome = await reserveRoom(runtime, room)
  if (room.isTentative === true) return outcome
  for (let round = 0; round < MOST_GRANTS && outcome.kind === 'refused'; round++) {
    // What ended its wait was its caller, not the limit.
    assertCallerThere(room.signal)
    if (outcome.mayFitLater && room.comesAgain === true) return outcome
    // Limits that were written while it asked may have room: what it was told is out of date.
    const isOutdated = limitsAbove(runtime).some((each, depth) => each !== limits[depth])
    if (
      !isOutdated &&
      !(await actOnBreach(runtime, outcome.breaches, { asker: room.signal, isFirst: room.hold?.isFirst === true }))
    ) {
      apply(runtime, { kind: 'stopped', breaches: outcome.breaches })
      return outcome
    }
    limits = limitsAbove(runtime)
    outcome = await reserveRoom(runtime, room)
  }
  // Whatever stopped it before, it goes on; unless a call beside it has come to the end meanwhile.
  if (outcome.kind === 'granted' && runtime.rootToSelf.every(({ life }) => life.halt === null)) apply(runtime, ADMITTED)
  return outcome
}

function limitsAbove({ rootToSelf }: ScopeRuntime): readonly (readonly Limit[])[] {
  return rootToSelf.map(({ limits }) => limits)
}
