import { assertKnownOptions, optionNames } from '../../core/index.ts'
import { takeCheckpoint } from './checkpoint.ts'
import { type Database, openDatabase } from './database/index.ts'
import { hashEntry, headOf } from './journal.ts'
import { ledgerErrorFrom } from './ledger-error-from.ts'
import { storedTotals } from './reconcile.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { prepareStatements, type Statements } from './statements.ts'

export interface PruneOptions {
  /** Only what ended before that. */
  readonly beforeMs: number
  readonly atMs: number
  /** Only counts what would go, and changes nothing. */
  readonly isDryRun?: boolean
}

export interface PruneReport {
  readonly file: string
  /** How many trees something was pruned of, and how much of each. */
  readonly roots: number
  readonly scopes: number
  readonly reservations: number
  readonly entries: number
}

const OPTIONS = optionNames<PruneOptions>({ beforeMs: true, atMs: true, isDryRun: true })

// Each root is pruned in a transaction of its own: whoever spends meanwhile waits no longer than for that.
const LONGEST_WAIT_MS = 10_000

/**
 * Forgets the details of what ended before `beforeMs`: scopes that have ended, reservations that are finished, and the
 * part of each journal that a checkpoint stands for. What is still counted anywhere stays counted: totals are stored
 * facts of the scopes above, and never shrink.
 */
export function pruneLedger(file: string, options: PruneOptions): PruneReport {
  assertKnownOptions('pruneLedger', options, OPTIONS)
  const { beforeMs, atMs, isDryRun = false } = options
  const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID })
  try {
    database.exec(`PRAGMA busy_timeout = ${LONGEST_WAIT_MS}`)
    const statements = prepareStatements(database)
    const roots = statements.journalRoots.all().map(({ root }) => root as string)
    const pruned = roots.map((root) => {
      return inTransaction(database, isDryRun, () => pruneRoot(statements, root, beforeMs, atMs))
    })
    inTransaction(database, isDryRun, () => statements.pruneHolders.run(beforeMs))
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

/** `isDryRun`: as if nothing had been done. */
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
  const reservations = statements.pruneReservations.run(root, beforeMs).changes
  statements.pruneKeysRevoked.run(root, beforeMs)
  const old = prunableScopes(statements, root, beforeMs)
  if (old.length === 0 && reservations === 0) return { scopes: 0, reservations: 0, entries: 0 }
  for (const id of old) {
    statements.pruneReservationsOf.run(id)
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
  // Everybody reads anew: what they have in memory may be gone.
  statements.writePruned.run()
  return { scopes: old.length, reservations, entries }
}

/** Those that ended long ago with everything below them and every call. The root stays: its totals are nowhere else. */
function prunableScopes(statements: Statements, root: string, beforeMs: number): readonly string[] {
  const busy = new Set(statements.reservationsUnfinished.all(root).map(({ scope }) => scope as string))
  const prunable: string[] = []
  // The latest opened first: children before their parents.
  for (const { id, parent, is_ended: isEnded, closed_at: closedAt } of statements.scopesEnding.all(root)) {
    const isOld = isEnded === 1 && (closedAt as number) < beforeMs && parent !== null
    if (isOld && !busy.has(id as string)) prunable.push(id as string)
    else if (parent !== null) busy.add(parent as string)
  }
  return prunable
}
