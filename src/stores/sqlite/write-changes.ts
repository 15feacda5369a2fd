import type { ChangeLog } from './change-log.ts'
import { appendEntries, type ChainHead } from './journal.ts'
import { rowFromDenial } from './rows/stored-history.ts'
import { rowFromHolder } from './rows/stored-holder.ts'
import { rowFromKey } from './rows/stored-key.ts'
import { chargeFromReservation, rowFromReservation } from './rows/stored-reservation.ts'
import { announcedText, endOf, rowFromScope, startOf } from './rows/stored-scope.ts'
import type { Statements } from './statements.ts'

/** The numbers that the next transaction continues from. */
export interface LedgerNumbers {
  readonly sequence: number
  readonly change: number
}

/**
 * Writes everything that one transaction has changed. `change` numbers the transaction, so that other processes can
 * find what is new.
 */
export function writeChanges(
  statements: Statements,
  heads: Map<string, ChainHead>,
  changes: ChangeLog,
  { sequence, change }: LedgerNumbers,
): void {
  for (const scope of changes.scopes) {
    statements.writeScope.run(...rowFromScope(scope, change, changes.steered.has(scope) ? change : 0))
  }
  for (const scope of changes.touched) {
    if (!changes.scopes.has(scope)) {
      statements.touchScope.run(scope.activeMs, scope.openChildren, change, scope.told, scope.id)
    }
  }
  for (const scope of changes.steered) if (!changes.scopes.has(scope)) statements.steerScope.run(change, scope.id)
  for (const [row, { scope, ordinal }] of changes.droppedCounters) {
    statements.dropCounter.run(scope.id, ordinal, startOf(row))
  }
  for (const [row, { scope, ordinal }] of changes.counters) {
    const { settled, reserved } = row
    statements.writeCounter.run(scope.id, ordinal, startOf(row), endOf(row), settled, reserved, announcedText(row))
  }
  for (const { scopeId, key, holderId, amount, wasDropped } of changes.holds.values()) {
    if (wasDropped) statements.dropHold.run(scopeId, key, holderId)
    if (amount > 0) statements.writeHold.run(scopeId, key, holderId, amount)
  }
  for (const record of changes.newReservations) statements.addCall.run(...rowFromReservation(record))
  for (const record of changes.chargedReservations) {
    if (statements.chargeCall.run(...chargeFromReservation(record)).changes > 0) continue
    // It was made before calls had a table of their own, and moves there.
    statements.dropOldCall.run(record.id)
    statements.addCall.run(...rowFromReservation(record))
  }
  for (const { scope, number, atMs, draft } of changes.events) {
    const root = scope.rootToSelf[0]!.id
    statements.addEvent.run(root, number, scope.id, atMs, draft.event, JSON.stringify(draft))
  }
  for (const { scope, ...denial } of changes.denials.values()) {
    statements.countDenials.run(...rowFromDenial(scope.id, denial))
  }
  for (const request of changes.requests.values()) {
    const { id, scopeId, key, status, openedAtMs } = request
    statements.writeRequest.run(id, scopeId, key, status, openedAtMs, JSON.stringify(request))
  }
  for (const reading of changes.holders.values()) statements.writeHolder.run(...rowFromHolder(reading))
  for (const key of changes.keys.values()) statements.writeKey.run(...rowFromKey(key))
  for (const [scopeId, text] of changes.documents) statements.writeDocument.run(scopeId, text)
  appendEntries(statements, heads, changes)
  statements.writeLedger.run(sequence, change, change)
}
