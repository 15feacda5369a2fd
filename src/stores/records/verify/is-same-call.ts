import { keptCallResult } from '../../../core/index.ts'
import type { ReservationRecord } from '../../operations/index.ts'
import { factsText } from '../rows/reservation-row.ts'
import type { SqlRow } from '../rows/sql-row.ts'

/** Whether a stored reservation that has ended is as its journal says. */
export function isSameCall(
  row: SqlRow,
  { id, scope, holder, state, atMs, reserved, charged, result }: ReservationRecord,
): boolean {
  return (
    row.id === id &&
    row.state === state &&
    row.scope === scope.id &&
    row.holder === holder &&
    row.at_ms === atMs &&
    row.reserved === JSON.stringify(reserved) &&
    row.charged === JSON.stringify(charged) &&
    row.facts === factsText(keptCallResult(result))
  )
}
