import { assertKnownOptions, type Clock, type LedgerStore, optionNames, type Random } from '../../core/index.ts'
import { createSystemClock } from '../../system/index.ts'
import { storeOverLedger } from '../ledger/index.ts'
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
import { journalEnd } from './journal.ts'
import { ledgerErrorFrom } from './ledger-error-from.ts'
import { ledgerIdOf } from './ledger-id.ts'
import { assertReconciled } from './reconcile.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { createSqliteLedger } from './sqlite-ledger.ts'
import { prepareStatements, type Statements } from './statements.ts'

export interface SqliteStoreOptions {
  /** The ledger's file. It is made when it is not there; its folder must be. */
  readonly file: string
  /** Makes the folder as well, for this user only. */
  readonly createFolder?: boolean
  /** How long an operation may wait for other processes. Default: 10 seconds. */
  readonly busyMs?: number
  /** How many operations share one transaction at most. Default: 64. */
  readonly maxBatch?: number
  readonly clock?: Clock
  readonly random?: Random
  /**
   * Whether a commit is brought to the disk beside the work of this process or within it, where it stands still so
   * long. Each operation is answered after that, either way. Default: beside, where the file has a write-ahead log.
   */
  readonly sync?: 'beside' | 'within'
  /** Calls back soon: what comes until then shares a transaction. Default: a few turns of the event loop. */
  readonly schedule?: (callback: () => void) => void
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
})

// Whoever looks so rarely that more has happened looks at everything.
const MOST_STEERED = 10_000
// How long opening, and only that, waits for others; later on the batches do that without standing still.
const LONGEST_WAIT_MS = 5_000

/**
 * The ledger in one file, for many processes of one machine. Makes the operations of the ledger atomic and durable:
 * those that come at the same time share a transaction, and each is answered when that is on the disk.
 */
export function createSqliteStore(options: SqliteStoreOptions): LedgerStore {
  assertKnownOptions('createSqliteStore', options, OPTIONS)
  const { file, busyMs = 10_000, maxBatch = 64, createFolder = false } = options
  const { clock = createSystemClock(), random = Math.random, sync = 'beside' } = options
  const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID, createFolder })
  const { statements, highWater, othersActive } = prepareLedger(database, clock)
  const ledger = createSqliteLedger(statements)
  const log = sync === 'beside' && database.journalMode === 'wal' ? syncBeside(database) : null
  let isContended = false
  let committed = 0

  function begin(open: () => void): void {
    database.assertInPlace()
    open()
    try {
      ledger.catchUp()
    } catch (error) {
      // Nobody else ends a transaction that could not be begun.
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
      // Asked inside the transaction: outside it may be busy, and one of the libraries then keeps a lock for it.
      isContended = othersActive()
      database.commit()
      ledger.committed()
    },
    async makeDurable() {
      const end = committed
      if (log !== null) await log.sync()
      // Before anything is granted: it may have been replaced since the transaction began.
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
  return storeOverLedger((operation, kind) => batch.run(() => operation(ledger), { reads: kind === 'reads' }), {
    isShared: true,
    poll: ({ since }) =>
      batch.run(
        () => {
          const cursor = ledger.change
          if (since === null || since === cursor) return { cursor, steered: [] }
          const rows = statements.scopesSteered.all(since, MOST_STEERED + 1)
          return { cursor, steered: rows.length > MOST_STEERED ? null : rows.map((row) => row.id as string) }
        },
        { reads: true },
      ),
    async dispose() {
      await batch.close()
      highWater.close()
      log?.close()
      database.close()
    },
  })
}

function syncBeside(database: Database): LogSync {
  database.exec('PRAGMA synchronous = NORMAL')
  return createLogSync(database.file)
}

interface PreparedLedger {
  readonly statements: Statements
  readonly highWater: HighWater
  readonly othersActive: () => boolean
}

/** Looks at what was opened before anybody uses it. Lets go of it if it is not sound. */
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
