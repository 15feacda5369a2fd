import { assertKnownOptions, optionNames } from '../../core/index.ts'
import { takeCheckpoint } from './checkpoint.ts'
import { type Database, openDatabase, type SqlRow } from './database/index.ts'
import { hashEntry, headOf } from './journal.ts'
import { ledgerErrorFrom } from './ledger-error-from.ts'
import { storedTotals } from './reconcile.ts'
import { columnsOf } from './rows/columns-of.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { prepareStatements, type Statements } from './statements.ts'

const SCOPES = columnsOf('scopes')

export interface PruneOptions {
  /** Only what ended before this time. */
  readonly beforeMs: number
  readonly atMs: number
  /** Only count; change nothing. */
  readonly isDryRun?: boolean
}

export interface PruneReport {
  readonly file: string
  /** How many trees were pruned. */
  readonly roots: number
  readonly scopes: number
  readonly reservations: number
  readonly entries: number
}

const OPTIONS = optionNames<PruneOptions>({ beforeMs: true, atMs: true, isDryRun: true })

// Each root is pruned in its own transaction, so other processes wait no longer than that.
const LONGEST_WAIT_MS = 10_000

/**
 * Deletes the details of what ended before `beforeMs`: ended scopes, finished reservations, and the part of each
 * journal that a checkpoint replaces. Counted amounts stay counted: totals are stored in the scopes above and never
 * shrink.
 */
export function pruneLedger(file: string, options: PruneOptions): PruneReport {
  assertKnownOptions('pruneLedger', options, OPTIONS)
  const { beforeMs, atMs, isDryRun = false } = options
  const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID })
  try {
    database.exec(`PRAGMA busy_timeout = ${LONGEST_WAIT_MS}`)
    const statements = prepareStatements(database)
    const roots = statements.journalRoots.all().map((row) => SCOPES.text(row, 'root'))
    const pruned = roots.map((root) => {
      return inTransaction(database, isDryRun, () => pruneRoot(statements, root, beforeMs, atMs))
    })
    inTransaction(database, isDryRun, () => {
      statements.pruneHolders.run(beforeMs)
      statements.pruneDenials.run(beforeMs)
    })
    const sum = (count: (each: Pruned) => number): number => pruned.reduce((total, each) => total + count(each), 0)
    return {
      file: database.file,
      roots: sum(({ entries }) => Number(entries > 0)),
      scopes: sum(({ scopes }) => scopes),
      reservations: sum(({ reservations }) => reservations),
      entries: sum(({ entries }) => entries),
    }
  } catch (error) {
    throw ledgerErrorFrom(error, database.file)
  } finally {
    database.close()
  }
}

/** With `isDryRun`, the transaction is rolled back. */
function inTransaction<Result>(database: Database, isDryRun: boolean, work: () => Result): Result {
  database.assertInPlace()
  database.beginWrite()
  try {
    const result = work()
    if (isDryRun) database.rollback()
    else database.commit()
    return result
  } catch (error) {
    database.rollback()
    throw error
  }
}

interface Pruned {
  readonly scopes: number
  readonly reservations: number
  readonly entries: number
}

function pruneRoot(statements: Statements, root: string, beforeMs: number, atMs: number): Pruned {
  const forgotten = numberIn(statements.lastForgotten.get(root, beforeMs, root, beforeMs))
  const events = statements.pruneEvents.run(root, beforeMs).changes
  const reservations =
    statements.pruneCalls.run(root, beforeMs).changes + statements.pruneOldCalls.run(root, beforeMs).changes
  if (events > 0 || reservations > 0) statements.writeForgotten.run(forgotten, root)
  statements.pruneKeysRevoked.run(root, beforeMs)
  const old = prunableScopes(statements, root, beforeMs)
  if (old.length === 0 && reservations === 0) return { scopes: 0, reservations: 0, entries: 0 }
  for (const id of old) {
    // What is left of its calls is younger than its end.
    statements.writeForgotten.run(numberIn(statements.lastToldOf.get(id)), root)
    statements.pruneCallsOf.run(id)
    statements.pruneOldCallsOf.run(id)
    statements.pruneDenialsOf.run(id)
    statements.pruneCounters.run(id)
    statements.pruneDocument.run(id)
    statements.pruneRequests.run(id)
    statements.pruneKeysOf.run(id)
    statements.pruneScope.run(id)
  }
  const head = headOf(statements, root)
  const place = head.place + 1
  const body = JSON.stringify(takeCheckpoint(statements, root, head.hash, atMs))
  const totals = storedTotals(statements, root)
  statements.append.run(root, place, body, totals, hashEntry(head.hash, root, place, body, totals))
  const entries = statements.pruneJournal.run(root, place).changes
  // Makes every process read again: what they have in memory may be gone.
  statements.writePruned.run()
  return { scopes: old.length, reservations, entries }
}

function numberIn(row: SqlRow | undefined): number {
  return row === undefined ? 0 : (SCOPES.integerOrNull(row, 'number') ?? 0)
}

/**
 * Scopes that ended long ago, with everything below them and every call. The root stays: its totals are stored nowhere
 * else.
 */
function prunableScopes(statements: Statements, root: string, beforeMs: number): readonly string[] {
  const busy = new Set(statements.callsUnfinished.all(root).map((row) => SCOPES.text(row, 'scope')))
  const prunable: string[] = []
  // Latest opened first: children before their parents.
  for (const row of statements.scopesEnding.all(root)) {
    const id = SCOPES.text(row, 'id')
    const parent = SCOPES.textOrNull(row, 'parent')
    const isOld = row.is_ended === 1 && SCOPES.integer(row, 'closed_at') < beforeMs && parent !== null
    if (isOld && !busy.has(id)) prunable.push(id)
    else if (parent !== null) busy.add(parent)
  }
  return prunable
}
