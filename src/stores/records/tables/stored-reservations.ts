import type { ReservationRecord, ReservationTable } from '../../operations/index.ts'
import type { RowSource } from '../row-source.ts'
import { columnsOf } from '../rows/columns-of.ts'
import { reservationFromRow } from '../rows/reservation-row.ts'
import type { SqlRow } from '../rows/sql-row.ts'
import { readRow } from '../rows/unreadable-row-error.ts'
import type { StoredScopes } from './stored-scopes.ts'

const CALLS = columnsOf('calls')

export interface StoredReservations extends ReservationTable {
  /** The record of a row. Reading many of them doesn't fill the memory. */
  read(row: SqlRow): ReservationRecord
  /** Finished ones needn't stay in memory. */
  drop(written: Iterable<ReservationRecord>): void
  clear(): void
}

/** Every lookup other than by id must `flush` first: pending changes aren't in the rows. */
export function createStoredReservations(
  source: RowSource,
  scopes: StoredScopes,
  flush: () => void,
): StoredReservations {
  const cached = new Map<string, ReservationRecord>()

  function read(row: SqlRow): ReservationRecord {
    const id = CALLS.text(row, 'id')
    return cached.get(id) ?? readRow('calls', id, () => reservationFromRow(row, scopes.known(CALLS.text(row, 'scope'))))
  }

  function from(row: SqlRow): ReservationRecord {
    const record = read(row)
    cached.set(record.id, record)
    return record
  }

  return {
    get(id) {
      const known = cached.get(id)
      if (known !== undefined) return known
      const row = source.call(id)
      return row === undefined ? undefined : from(row)
    },
    add(record) {
      cached.set(record.id, record)
    },
    read,
    openOf(holder) {
      flush()
      return source.callsOpenOf(holder).map(from)
    },
    holders() {
      flush()
      return source.callHolders()
    },
    list(filter) {
      flush()
      return source.callsListed(filter).map(from)
    },
    drop(written) {
      for (const { id, state } of written) if (state !== 'open') cached.delete(id)
    },
    clear: () => cached.clear(),
  }
}
