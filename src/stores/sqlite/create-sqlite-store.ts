import {
  type AlertRule,
  assertKnownOptions,
  type Clock,
  type LedgerStore,
  optionNames,
  type Random,
} from '../../core/index.ts'
import { createSystemClock } from '../../system/index.ts'
import { createAlertBook, storeOverLedger } from '../operations/index.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import {
  createGroupCommit,
  createHighWater,
  createLogSync,
  createOthersActive,
  type Database,
  type HighWater,
  isBusyError,
  type LogSync,
  openDatabase,
} from './database/index.ts'
import { journalEnd } from './journal-end.ts'
import { ledgerErrorFrom } from './ledger-error-from.ts'
import { ledgerIdOf } from './ledger-id.ts'
import { readSums } from './read-sums.ts'
import { assertReconciled } from './reconcile.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { createSqliteLedger } from './sqlite-ledger.ts'
import { prepareStatements, type Statements } from './statements.ts'

export interface SqliteStoreOptions {
  /** The ledger file. It is created if it is missing; its folder must exist. */
  readonly file: string
  /** Also create the folder, for this user only. */
  readonly createFolder?: boolean
  /** How long an operation may wait for other processes. Default: 10 seconds. */
  readonly busyMs?: number
  /** How many operations can share one transaction. Default: 64. */
  readonly maxBatch?: number
  readonly clock?: Clock
  readonly random?: Random
  /**
   * Whether commits are synced to disk in the background or by this process, which blocks it meanwhile. Either way,
   * each operation is answered afterwards. Default: `beside`, if the file has a write-ahead log. Even then, a lone
   * operation is synced by this process while that takes at most a millisecond.
   */
  readonly sync?: 'beside' | 'within'
  /**
   * Calls back soon; operations that arrive before then share a transaction. Default: a few turns of the event loop.
   */
  readonly schedule?: (callback: () => void) => void
  /** When alerts are raised. Default: `DEFAULT_ALERTS`. */
  readonly alerts?: readonly AlertRule[]
}

const OPTIONS = optionNames<SqliteStoreOptions>({
  file: true,
  createFolder: true,
  busyMs: true,
  maxBatch: true,
  clock: true,
  random: true,
  sync: true,
  schedule: true,
  alerts: true,
})

// A reader that is further behind checks every scope.
const MOST_STEERED = 10_000
const MOST_CHANGED = 10_000
// How long opening waits for other processes. Later, batches wait without blocking.
const LONGEST_WAIT_MS = 5_000

/**
 * The ledger in one file, for many processes on one machine. Makes the ledger's operations atomic and durable:
 * concurrent operations share a transaction, and each is answered once that is on disk.
 */
export function createSqliteStore(options: SqliteStoreOptions): LedgerStore {
  assertKnownOptions('createSqliteStore', options, OPTIONS)
  const { file, busyMs = 10_000, maxBatch = 64, createFolder = false } = options
  const { clock = createSystemClock(), random = Math.random, sync = 'beside' } = options
  const alerts = createAlertBook('createSqliteStore({ alerts })', options.alerts)
  const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID, createFolder })
  const { statements, highWater, othersActive } = prepareLedger(database, clock)
  const ledger = createSqliteLedger(statements, alerts)
  const log = sync === 'beside' && database.journalMode === 'wal' ? syncBeside(database, clock) : null
  let isContended = false
  let committed = 0

  function begin(open: () => void): void {
    database.assertInPlace()
    open()
    try {
      ledger.catchUp()
    } catch (error) {
      // The group commit doesn't roll back a transaction that failed to begin.
      database.rollback()
      ledger.forget()
      throw error
    }
  }

  const batch = createGroupCommit({
    begin: () => begin(database.beginWrite),
    beginRead: () => begin(database.beginRead),
    commit() {
      ledger.write()
      committed = journalEnd(statements)
      // Checked inside the transaction: outside it may be busy, and one of the libraries then keeps a lock.
      isContended = othersActive()
      database.commit()
      ledger.committed()
    },
    async makeDurable(isAlone) {
      const end = committed
      if (log !== null) await log.sync(isAlone)
      // Before anything is granted: the file may have been replaced since the transaction began.
      database.assertInPlace()
      highWater.note(end)
    },
    rollback: database.rollback,
    onRollback: ledger.forget,
    isBusy: isBusyError,
    toError: (error) => ledgerErrorFrom(error, database.file),
    othersActive: () => isContended,
    clock,
    random,
    maxBatch,
    deadlineMs: busyMs,
    ...(options.schedule === undefined ? {} : { schedule: options.schedule }),
  })
  return storeOverLedger(({ run, reads }, request) => batch.run(() => run(ledger.records, request), { reads }), {
    isShared: true,
    poll: ({ since }) =>
      batch.run(
        () => {
          const cursor = ledger.change
          if (since === null || since === cursor) return { cursor, steered: [] }
          const rows = statements.scopesSteered.all(since, MOST_STEERED + 1)
          return {
            cursor,
            steered: rows.length > MOST_STEERED ? null : rows.map((row) => columnsOf('scopes').text(row, 'id')),
          }
        },
        { reads: true },
      ),
    changed: ({ since }) =>
      batch.run(
        () => {
          const cursor = ledger.change
          if (since === null || since === cursor) return { cursor, roots: [], scopes: [] }
          const rows = statements.rootsChanged.all(since, MOST_CHANGED + 1)
          const roots = rows.length > MOST_CHANGED ? null : rows.map((row) => columnsOf('scopes').text(row, 'root'))
          const found = roots === null ? [] : statements.scopesChanged.all(since)
          const isListed = roots !== null && found.length <= MOST_CHANGED
          const scopes = isListed ? found.map((row) => columnsOf('scopes').text(row, 'id')) : null
          return { cursor, roots, scopes }
        },
        { reads: true },
      ),
    sums: (request) => readSums(statements, (work) => batch.run(work, { reads: true }), request),
    async dispose() {
      await batch.close()
      highWater.close()
      log?.close()
      database.close()
    },
  })
}

function syncBeside(database: Database, clock: Clock): LogSync {
  database.exec('PRAGMA synchronous = NORMAL')
  return createLogSync(database.file, clock)
}

interface PreparedLedger {
  readonly statements: Statements
  readonly highWater: HighWater
  readonly othersActive: () => boolean
}

/** Checks a ledger before it is used. Closes it if it isn't sound. */
function prepareLedger(database: Database, clock: Clock): PreparedLedger {
  try {
    database.exec(`PRAGMA busy_timeout = ${LONGEST_WAIT_MS}`)
    const statements = prepareStatements(database)
    const highWater = createHighWater(database.file, {
      ledgerId: ledgerIdOf(statements),
      clock,
      assertInPlace: database.assertInPlace,
    })
    if (database.created) highWater.write(0)
    assertReconciled(database, statements, highWater)
    const othersActive = createOthersActive(database, clock)
    database.exec('PRAGMA busy_timeout = 0')
    return { statements, highWater, othersActive }
  } catch (error) {
    database.rollback()
    database.close()
    throw ledgerErrorFrom(error, database.file)
  }
}
