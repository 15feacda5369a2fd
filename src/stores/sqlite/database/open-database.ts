import { dirname, resolve } from 'node:path'
import { assertWholeNumber, InvalidOptionError } from '../../../core/invalid-option-error.ts'
import { isStorableText } from '../../../core/storable-text.ts'
import { assertWholeFile } from './assert-whole-file.ts'
import { assertWritable } from './assert-writable.ts'
import { configureConnection } from './configure-connection.ts'
import { createLedgerFile } from './create-ledger-file.ts'
import type { Database, JournalMode } from './database.ts'
import { databaseFrom } from './database-from.ts'
import type { Connection, Driver } from './driver.ts'
import { fileAddress } from './file-address.ts'
import { createFileGuard } from './file-guard.ts'
import { findLedgerFile } from './find-ledger-file.ts'
import { inspectLedger, needsNewerSqlite } from './inspect-ledger.ts'
import { damagedLedger, LedgerFileError, missingLedger } from './ledger-file-error.ts'
import { readLedgerMark } from './ledger-mark.ts'
import { loadDriver } from './load-driver.ts'
import { migrate, schemaVersionOf } from './migrate.ts'
import { readPragma } from './read-pragma.ts'
import { hasSoundWal, sqliteVersionOf } from './sqlite-version.ts'
import { storeErrorFrom } from './store-error-from.ts'

export interface OpenDatabaseOptions {
  readonly file: string
  /** `migrations[n]` takes the schema from version n to n + 1: any number of statements, but no BEGIN or COMMIT. */
  readonly migrations: readonly string[]
  /** Even, from 2: this number marks the file as ours, and the next one marks it as ours with a write-ahead log. */
  readonly applicationId: number
  /** How long opening, and only that, waits for the lock of another process. Default 5000. */
  readonly busyMs?: number
  /** Never creates, migrates or writes. */
  readonly readOnly?: boolean
  /** Makes a missing folder, for its owner alone: for a place that is ours. Default: a missing folder is an error. */
  readonly createFolder?: boolean
}

/**
 * Opens the ledger in `file`, and makes it if there is none and has never been one. Throws a `StintError` that names
 * the file, what is wrong and what to do, and has changed nothing then.
 */
export function openDatabase(options: OpenDatabaseOptions, driver: Driver = loadDriver()): Database {
  const { migrations, applicationId, busyMs = 5000, readOnly = false, createFolder = false } = options
  assertOptions(options.file, applicationId, busyMs)
  const { file, stats } = findLedgerFile(options.file, { createFolder: createFolder && !readOnly })
  if (stats === null && readOnly)
    throw missingLedger(file, 'does not exist', 'Check the path: only reading makes none.')
  if (stats?.size === 0) throw damagedLedger(file, 'is empty, which a ledger never is')
  if (!readOnly) assertWritable(dirname(file), file)
  if (!readOnly && stats !== null) assertWritable(file, file)

  let connection: Connection | null = null
  try {
    const created = stats === null && createLedgerFile(driver, { file, migrations, applicationId })
    // Before and after it is opened: what is guarded is what was opened.
    const guard = createFileGuard(file, [resolve(options.file)])
    inspectLedger(driver, file, applicationId)
    connection = driver.connect(fileAddress(file, readOnly ? 'ro' : 'rw'))
    connection.exec(`PRAGMA busy_timeout = ${busyMs}`)
    const journalMode = checkedJournalMode(connection, file, applicationId)
    configureConnection(connection, { readOnly })
    if (readOnly) assertMigrated(connection, file, migrations.length)
    else migrate(connection, file, migrations)
    assertWholeFile(connection, file)
    // Read while it may still wait: in one of the libraries even this takes a lock.
    const sqliteVersion = sqliteVersionOf(connection)
    connection.exec('PRAGMA busy_timeout = 0')
    guard.assertInPlace()
    // Whoever has another log, or other locks on it, does not see what is written here.
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

/** The second look, under a lock: somebody may have changed the mode by hand since the file was marked. */
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
  const problem = `has the older schema ${version} and must be brought to ${newest}, but is only to be read`
  const remedy = 'Whatever may write it does that: run `stint status` once.'
  throw new LedgerFileError('ledger_read_only', file, problem, remedy)
}
