import type { ReservationRecord } from '../operations/index.ts'
import type { ChangeLog } from './change-log.ts'
import { appendEntries, type ChainHeads } from './journal/journal.ts'
import { chargeFromReservation, rowFromReservation } from './rows/reservation-row.ts'
import type { WriteRow } from './rows/row-change.ts'
import { announcedText, endOf, rowFromScope, startOf, watchTextOf } from './rows/scope-row.ts'
import { rowFromDenial } from './tables/stored-history.ts'
import { rowFromHolder } from './tables/stored-holders.ts'
import { rowFromKey } from './tables/stored-keys.ts'

export interface RowChangeOptions {
  readonly heads: ChainHeads
  /** Numbers the transaction, so that other processes can find what is new. */
  readonly change: number
  /** Whether the store has this reservation in an older form, so that its whole row must be written. */
  readonly isMoving?: (record: ReservationRecord) => boolean
}

/** Turns everything that one transaction has changed into changes of rows, in the order to write them in. */
export function writeRowChanges(changes: ChangeLog, write: WriteRow, options: RowChangeOptions): void {
  const { change } = options
  for (const scope of changes.scopes) {
    write('writeScope', rowFromScope(scope, change, changes.steered.has(scope) ? change : 0))
  }
  for (const scope of changes.touched) {
    if (changes.scopes.has(scope)) continue
    write('touchScope', [scope.activeMs, scope.openChildren, change, scope.told, watchTextOf(scope), scope.id])
  }
  for (const scope of changes.steered) if (!changes.scopes.has(scope)) write('steerScope', [change, scope.id])
  for (const [row, { scope, ordinal }] of changes.droppedCounters) {
    write('dropCounter', [scope.id, ordinal, startOf(row)])
  }
  for (const [row, { scope, ordinal }] of changes.counters) {
    const { settled, reserved } = row
    write('writeCounter', [scope.id, ordinal, startOf(row), endOf(row), settled, reserved, announcedText(row)])
  }
  for (const { scopeId, key, holderId, amount, wasDropped } of changes.holds.values()) {
    if (wasDropped) write('dropHold', [scopeId, key, holderId])
    if (amount > 0) write('writeHold', [scopeId, key, holderId, amount])
  }
  for (const record of changes.newReservations) write('addCall', rowFromReservation(record))
  for (const record of changes.chargedReservations) {
    if (options.isMoving?.(record)) write('addCall', rowFromReservation(record))
    else write('chargeCall', chargeFromReservation(record))
  }
  for (const { scope, number, atMs, draft } of changes.events) {
    const root = scope.rootToSelf[0]!.id
    write('addEvent', [root, number, scope.id, atMs, draft.event, JSON.stringify(draft)])
  }
  for (const { scope, ...denial } of changes.denials.values()) write('countDenials', rowFromDenial(scope.id, denial))
  for (const request of changes.requests.values()) {
    const { id, scopeId, key, status, openedAtMs } = request
    write('writeRequest', [id, scopeId, key, status, openedAtMs, JSON.stringify(request)])
  }
  for (const reading of changes.holders.values()) write('writeHolder', rowFromHolder(reading))
  for (const key of changes.keys.values()) write('writeKey', rowFromKey(key))
  for (const [scopeId, text] of changes.documents) {
    if (text === null) write('dropDocument', [scopeId])
    else write('writeDocument', [scopeId, text])
  }
  for (const [name, text] of changes.keptTexts) write('keep', [name, text])
  appendEntries(changes, write, options.heads)
}
