import { dirname, resolve } from 'node:path'
import { assertWholeNumber, InvalidOptionError } from '../../../core/checks/invalid-option-error.ts'
import { isStorableText } from '../../../core/checks/storable-text.ts'
import { configureConnection } from './configure-connection.ts'
import type { Database, JournalMode } from './drivers/database.ts'
import { databaseFrom } from './drivers/database-from.ts'
import type { Connection, Driver } from './drivers/driver.ts'
import { loadDriver } from './drivers/load-driver.ts'
import { hasSoundWal, sqliteVersionOf } from './drivers/sqlite-version.ts'
import { assertWholeFile } from './file/assert-whole-file.ts'
import { assertWritable } from './file/assert-writable.ts'
import { createLedgerFile } from './file/create-ledger-file.ts'
import { fileAddress } from './file/file-address.ts'
import { createFileGuard } from './file/file-guard.ts'
import { findLedgerFile } from './file/find-ledger-file.ts'
import { inspectLedger, needsNewerSqlite } from './file/inspect-ledger.ts'
import { damagedLedger, LedgerFileError, missingLedger } from './file/ledger-file-error.ts'
import { readLedgerMark } from './file/ledger-mark.ts'
import { migrate, schemaVersionOf } from './migrate.ts'
import { readPragma } from './read-pragma.ts'
import { storeErrorFrom } from './store-error-from.ts'

export interface OpenDatabaseOptions {
  readonly file: string
  /** `migrations[n]` takes the schema from version n to n + 1: any number of statements, but no BEGIN or COMMIT. */
  readonly migrations: readonly string[]
  /** Even, from 2: this number marks the file as ours, and the next one as ours with a write-ahead log. */
  readonly applicationId: number
  /** How long opening waits for the lock of another process. Default 5000. */
  readonly busyMs?: number
  /** Never creates, migrates or writes. */
  readonly readOnly?: boolean
  /** Creates a missing folder, for its owner only; for Stint's own location. Default: a missing folder is an error. */
  readonly createFolder?: boolean
}

/**
 * Opens the ledger in `file`, and creates it if there is none and never was. Throws a `StintError` that names the file,
 * the problem and the fix; nothing has changed then.
 */
export function openDatabase(options: OpenDatabaseOptions, driver: Driver = loadDriver()): Database {
  const { migrations, applicationId, busyMs = 5000, readOnly = false, createFolder = false } = options
  assertOptions(options.file, applicationId, busyMs)
  const { file, stats } = findLedgerFile(options.file, { createFolder: createFolder && !readOnly })
  if (stats === null && readOnly)
    throw missingLedger(file, 'does not exist', 'Check the path: a read-only command does not create a ledger.')
  if (stats?.size === 0) throw damagedLedger(file, 'is empty, which a ledger never is')
  if (!readOnly) assertWritable(dirname(file), file)
  if (!readOnly && stats !== null) assertWritable(file, file)

  let connection: Connection | null = null
  try {
    const created = stats === null && createLedgerFile(driver, { file, migrations, applicationId })
    // Created before the file is opened and checked afterwards, so that the guarded file is the open one.
    const guard = createFileGuard(file, [resolve(options.file)])
    inspectLedger(driver, file, applicationId)
    connection = driver.connect(fileAddress(file, readOnly ? 'ro' : 'rw'))
    connection.exec(`PRAGMA busy_timeout = ${busyMs}`)
    const journalMode = checkedJournalMode(connection, file, applicationId)
    configureConnection(connection, { readOnly })
    if (readOnly) assertMigrated(connection, file, migrations.length)
    else migrate(connection, file, migrations)
    assertWholeFile(connection, file)
    // Read while waiting is still allowed: in one of the libraries even this takes a lock.
    const sqliteVersion = sqliteVersionOf(connection)
    connection.exec('PRAGMA busy_timeout = 0')
    guard.assertInPlace()
    // A process with another log, or other locks on it, doesn't see what is written here.
    if (journalMode === 'wal' && !readOnly) guard.include([`${file}-wal`, `${file}-shm`])
    const { assertInPlace } = guard
    return databaseFrom(connection, { file, created, journalMode, sqliteVersion, assertInPlace }, migrations.length)
  } catch (error) {
    connection?.close()
    throw storeErrorFrom(error, file)
  }
}

function assertOptions(file: unknown, applicationId: number, busyMs: number): void {
  if (typeof file !== 'string' || file === '' || !isStorableText(file)) {
    throw new InvalidOptionError('file', file, 'the path of a file, e.g. "ledger.db"')
  }
  if (applicationId % 2 !== 0) throw new InvalidOptionError('applicationId', applicationId, 'an even number')
  assertWholeNumber('applicationId', applicationId, 2, 2 ** 31 - 2)
  assertWholeNumber('busyMs', busyMs, 0, 60_000)
}

/** A second check, under a lock: the mode may have been changed by hand since the file was marked. */
function checkedJournalMode(connection: Connection, file: string, applicationId: number): JournalMode {
  readLedgerMark(connection, file, applicationId)
  const journalMode = readPragma(connection, 'journal_mode') === 'wal' ? 'wal' : 'rollback'
  const version = sqliteVersionOf(connection)
  if (journalMode === 'wal' && !hasSoundWal(version)) throw needsNewerSqlite(file, version)
  return journalMode
}

function assertMigrated(connection: Connection, file: string, newest: number): void {
  const version = schemaVersionOf(connection, file, newest)
  if (version === newest) return
  const problem = `has the older schema ${version} and must be migrated to ${newest}, but is opened read-only`
  const remedy = 'Any command that writes migrates it: run `stint status` once.'
  throw new LedgerFileError('ledger_read_only', file, problem, remedy)
}
