import type { Driver } from '../drivers/driver.ts'
import { isCorruptError, isNotADatabaseError } from '../drivers/sqlite-codes.ts'
import { FIRST_SOUND_WAL, hasSoundWal, sqliteVersionOf } from '../drivers/sqlite-version.ts'
import { fileAddress } from './file-address.ts'
import { LedgerFileError } from './ledger-file-error.ts'
import { foreignLedger, readLedgerMark } from './ledger-mark.ts'

/**
 * Checks the first page without changing anything, not even briefly. Throws `LedgerFileError` for a file that this
 * library must not open. It asks SQLite instead of the file system, because opening and closing a file frees every lock
 * that this process has on it.
 */
export function inspectLedger(driver: Driver, file: string, applicationId: number): void {
  const connection = driver.connect(fileAddress(file, 'immutable'))
  try {
    const journalMode = readLedgerMark(connection, file, applicationId)
    const version = sqliteVersionOf(connection)
    if (journalMode === 'wal' && !hasSoundWal(version)) throw needsNewerSqlite(file, version)
  } catch (error) {
    if (isNotADatabaseError(error)) throw foreignLedger(file, 'is not a SQLite database', error)
    // Without a lock, a file that is being written looks torn. It is checked again under a lock.
    if (!isCorruptError(error)) throw error
  } finally {
    connection.close()
  }
}

/** The write-ahead log of this ledger isn't safe with this library. */
export function needsNewerSqlite(file: string, version: string): LedgerFileError {
  return new LedgerFileError(
    'ledger_needs_newer_sqlite',
    file,
    `was created with a newer SQLite, and the one in this Node (${process.versions.node}) is ${version}, which could damage it`,
    `Use a Node whose SQLite is ${FIRST_SOUND_WAL} or newer, e.g. Node 24.21.`,
  )
}
