import type { JournalMode } from '../drivers/database.ts'
import type { Connection } from '../drivers/driver.ts'
import { readPragma } from '../read-pragma.ts'
import { LedgerFileError } from './ledger-file-error.ts'

/**
 * The application id, including the journal mode: a library that must avoid a write-ahead log has to know before it
 * opens one.
 */
export function ledgerMark(applicationId: number, journalMode: JournalMode): number {
  return journalMode === 'wal' ? applicationId + 1 : applicationId
}

/** Reads the mark. Throws `ledger_foreign` if it belongs to another program. */
export function readLedgerMark(connection: Connection, file: string, applicationId: number): JournalMode {
  const found = readPragma(connection, 'application_id')
  if (found === ledgerMark(applicationId, 'wal')) return 'wal'
  if (found === ledgerMark(applicationId, 'rollback')) return 'rollback'
  throw foreignLedger(file, `is a database of another program (its application id is ${found})`)
}

/** `problem` completes "The ledger FILE …". */
export function foreignLedger(file: string, problem: string, cause?: unknown): LedgerFileError {
  const remedy = 'It was left unchanged: use another file for the ledger.'
  return new LedgerFileError('ledger_foreign', file, problem, remedy, cause)
}
