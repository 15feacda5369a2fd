import type { AlertBook, Ledger, ReservationRecord } from '../operations/index.ts'
import { type ChangeLog, createChangeLog } from './change-log.ts'
import { createChainHeads } from './journal/journal.ts'
import { writeRowChanges } from './row-changes.ts'
import type { RowSource } from './row-source.ts'
import { columnsOf } from './rows/columns-of.ts'
import type { WriteRow } from './rows/row-change.ts'
import { createStoredHistory } from './tables/stored-history.ts'
import { createStoredHolders, type StoredHolders } from './tables/stored-holders.ts'
import { createStoredKeys } from './tables/stored-keys.ts'
import { createStoredRequests } from './tables/stored-requests.ts'
import { createStoredReservations, type StoredReservations } from './tables/stored-reservations.ts'
import { createStoredScopes, type StoredScopes } from './tables/stored-scopes.ts'

const DOCUMENTS = columnsOf('documents')
const KEPT = columnsOf('kept')

export interface StoredLedgerOptions {
  readonly source: RowSource
  readonly write: WriteRow
  /** Calls `writeChanges` with the next number, so that pending changes are found. */
  readonly flush: () => void
  readonly isMoving?: (record: ReservationRecord) => boolean
  /** The alert rules. Default: none. */
  readonly alerts?: AlertBook
}

/** A ledger whose records are rows. The operations run on it unchanged; everything happens inside one transaction. */
export interface StoredLedger extends Ledger {
  readonly changes: ChangeLog
  readonly scopes: StoredScopes
  readonly reservations: StoredReservations
  readonly holders: StoredHolders
  /** Writes what is pending as the transaction of this number; `false` if nothing is. */
  writeChanges(change: number): boolean
  /** Others have written: what they may have changed is read again on demand. Scopes stay. */
  forgetOthers(): void
  /** Drops everything in memory, which may differ from what is stored. */
  forget(): void
}

/** Records stay in memory for later operations until they are forgotten. */
export function createStoredLedger(options: StoredLedgerOptions): StoredLedger {
  const { source, write, flush, isMoving, alerts = null } = options
  const changes = createChangeLog()
  const heads = createChainHeads(source.chainHead)
  const scopes = createStoredScopes(source, changes, flush)
  const reservations = createStoredReservations(source, scopes, flush)
  const holders = createStoredHolders(source, changes, write)

  function forgetOthers(): void {
    reservations.clear()
    holders.clear()
    heads.clear()
  }

  return {
    changes,
    scopes,
    reservations,
    requests: createStoredRequests(source, flush),
    keys: createStoredKeys(source, flush),
    holders,
    history: createStoredHistory({ source, changes, flush, reservationFrom: reservations.read }),
    sequence: 0,
    document(scopeId) {
      const noted = changes.documents.get(scopeId)
      if (noted !== undefined) return noted
      const row = source.document(scopeId)
      return row === undefined ? null : DOCUMENTS.text(row, 'body')
    },
    setDocument: (scopeId, text) => changes.document(scopeId, text),
    dropDocument: (scopeId) => changes.document(scopeId, null),
    alerts,
    raised: [],
    kept(name) {
      const noted = changes.keptTexts.get(name)
      if (noted !== undefined) return noted
      const row = source.kept(name)
      return row === undefined ? null : KEPT.text(row, 'body')
    },
    keep: (name, text) => changes.kept(name, text),
    steered: (scope) => changes.steered.add(scope),
    writeChanges(change) {
      if (changes.isEmpty) return false
      writeRowChanges(changes, write, { heads, change, ...(isMoving === undefined ? {} : { isMoving }) })
      reservations.drop(changes.newReservations)
      reservations.drop(changes.chargedReservations)
      changes.clear()
      return true
    },
    forgetOthers,
    forget() {
      changes.clear()
      scopes.clear()
      forgetOthers()
    },
  }
}
