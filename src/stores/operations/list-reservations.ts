import type { ReservationFilter } from '../../core/index.ts'
import type { Ledger } from './state/ledger.ts'
import type { ReservationRecord } from './state/ledger-state.ts'

const MOST_LISTED = 10_000

/** The matching reservations. One requested by id is looked up directly. */
export function listReservations(ledger: Ledger, filter: ReservationFilter): Iterable<ReservationRecord> {
  const { reservationId, state, scopeId, withinId, holder, most } = filter
  if (reservationId === undefined) {
    return withinId === undefined ? ledger.reservations.list(filter) : listWithin(ledger, filter, withinId)
  }
  const record = ledger.reservations.get(reservationId)
  if (record === undefined || record.state !== state || (most ?? 1) < 1) return []
  const isMeant = (scopeId ?? record.scope.id) === record.scope.id && (holder ?? record.holder) === record.holder
  return isMeant && (withinId === undefined || isWithin(record, withinId)) ? [record] : []
}

function* listWithin(ledger: Ledger, filter: ReservationFilter, withinId: string): Iterable<ReservationRecord> {
  let left = filter.most ?? MOST_LISTED
  for (const record of ledger.reservations.list({ ...filter, most: Number.MAX_SAFE_INTEGER })) {
    if (left === 0) return
    if (!isWithin(record, withinId)) continue
    left--
    yield record
  }
}

function isWithin({ scope }: ReservationRecord, withinId: string): boolean {
  return scope.rootToSelf.some(({ id }) => id === withinId)
}
