import { randomBytes } from 'node:crypto'
import { closeSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, messageOf } from '../../../../core/checks/thrown.ts'
import { syncFolder } from '../../../../system/index.ts'
import { StoreUnavailableError } from '../../../records/store-errors.ts'
import type { Driver } from '../drivers/driver.ts'
import { hasSoundWal, sqliteVersionOf } from '../drivers/sqlite-version.ts'
import { migrate } from '../migrate.ts'
import { fileAddress } from './file-address.ts'
import { inaccessibleLedger, readOnlyLedger } from './ledger-file-error.ts'
import { ledgerMark } from './ledger-mark.ts'

export interface NewLedger {
  readonly file: string
  readonly migrations: readonly string[]
  readonly applicationId: number
}

/**
 * Creates the file next to its place and moves it there complete, so that no process ever sees half a ledger and an
 * empty file always means damage. `false`: another process was faster, and its file is kept.
 */
export function createLedgerFile(driver: Driver, ledger: NewLedger): boolean {
  const draft = `${ledger.file}.new-${randomBytes(6).toString('hex')}`
  try {
    closeSync(openSync(draft, 'wx', 0o600))
    fillDraft(driver, draft, ledger)
    linkSync(draft, ledger.file)
    syncFolder(dirname(ledger.file))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw creationError(error, ledger.file)
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${draft}${suffix}`, { force: true })
  }
}

function fillDraft(driver: Driver, draft: string, { migrations, applicationId, file }: NewLedger): void {
  const connection = driver.connect(fileAddress(draft, 'rw'))
  try {
    // Can only be set before there are tables. It lets pruning give space back step by step.
    connection.exec('PRAGMA auto_vacuum = INCREMENTAL')
    const journalMode = hasSoundWal(sqliteVersionOf(connection)) ? 'wal' : 'rollback'
    if (journalMode === 'wal') connection.exec('PRAGMA journal_mode = WAL')
    connection.exec(`PRAGMA synchronous = FULL; PRAGMA application_id = ${ledgerMark(applicationId, journalMode)}`)
    migrate(connection, file, migrations)
  } finally {
    connection.close()
  }
}

function creationError(error: unknown, file: string): unknown {
  const code = codeOf(error)
  const message = messageOf(error)
  const problem = `cannot be created (${message})`
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new StoreUnavailableError(`The disk for the ledger ${file} is full.`, error)
  }
  if (code === 'EACCES' || code === 'EROFS') return readOnlyLedger(file, problem, error)
  if (typeof code !== 'string' || !/^E[A-Z]+$/.test(code)) return error
  const remedy =
    'The file system must support hard links and file locks, as local disks do: use a ledger on such a file system.'
  return inaccessibleLedger(file, problem, remedy, error)
}
