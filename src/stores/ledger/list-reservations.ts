import type { ReservationFilter } from '../../core/index.ts'
import type { Ledger } from './ledger.ts'
import type { ReservationRecord } from './ledger-state.ts'

/** Reservations, or the one that is named: that is taken from its place, however many there are. */
export function listReservations(ledger: Ledger, filter: ReservationFilter): Iterable<ReservationRecord> {
  const { reservationId, state, scopeId, holder, most = 1 } = filter
  if (reservationId === undefined) return ledger.reservations.list(filter)
  const record = ledger.reservations.get(reservationId)
  if (record === undefined || record.state !== state || most < 1) return []
  const isMeant = (scopeId ?? record.scope.id) === record.scope.id && (holder ?? record.holder) === record.holder
  return isMeant ? [record] : []
}
