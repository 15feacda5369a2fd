import { amountsFromVector, keptCallFacts, keptCallResult, type ReservationReading } from '../../core/index.ts'
import type { ReservationRecord } from './state/ledger-state.ts'

/** A snapshot of a reservation. */
export function readReservation(record: ReservationRecord): ReservationReading {
  const { id, scope, holder, state, reserved, charged, atMs, units, endedAtMs } = record
  return {
    id,
    scopeId: scope.id,
    scopePath: scope.path,
    scopeIds: scope.rootToSelf.map((each) => each.id),
    holder,
    state,
    reserved: amountsFromVector(reserved),
    charged: charged === null ? null : amountsFromVector(charged),
    atMs,
    units,
    about: keptCallFacts(record.about),
    result: keptCallResult(record.result),
    endedAtMs,
  }
}
