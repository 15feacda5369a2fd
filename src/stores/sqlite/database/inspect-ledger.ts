import type { Driver } from './driver.ts'
import { fileAddress } from './file-address.ts'
import { LedgerFileError } from './ledger-file-error.ts'
import { foreignLedger, readLedgerMark } from './ledger-mark.ts'
import { isCorruptError, isNotADatabaseError } from './sqlite-codes.ts'
import { FIRST_SOUND_WAL, hasSoundWal, sqliteVersionOf } from './sqlite-version.ts'

/**
 * A look at the first page that changes nothing, not even for a moment. Throws `LedgerFileError` for what this library
 * must not open. It asks SQLite and not the file system, because to open and close a file frees every lock that this
 * process has on it.
 */
export function inspectLedger(driver: Driver, file: string, applicationId: number): void {
  const connection = driver.connect(fileAddress(file, 'immutable'))
  try {
    const journalMode = readLedgerMark(connection, file, applicationId)
    const version = sqliteVersionOf(connection)
    if (journalMode === 'wal' && !hasSoundWal(version)) throw needsNewerSqlite(file, version)
  } catch (error) {
    if (isNotADatabaseError(error)) throw foreignLedger(file, 'is no SQLite database', error)
    // Without a lock, a file that somebody writes at this moment looks torn. With one, it will be seen again.
    if (!isCorruptError(error)) throw error
  } finally {
    connection.close()
  }
}

/** The write-ahead log of this ledger is not safe with this library. */
export function needsNewerSqlite(file: string, version: string): LedgerFileError {
  return new LedgerFileError(
    'ledger_needs_newer_sqlite',
    file,
    `was made with a newer SQLite, and the one of this Node (${process.versions.node}) is ${version}, which could damage it`,
    `Use a Node whose SQLite is ${FIRST_SOUND_WAL} or newer, e.g. Node 24.21.`,
  )
}
