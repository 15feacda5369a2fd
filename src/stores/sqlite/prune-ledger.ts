import { assertKnownOptions, assertWholeNumber, optionNames } from '../../core/index.ts'
import { type CheckpointRows, summaryOf, takeCheckpoint } from '../records/journal/checkpoint.ts'
import { hashEntry, headFromRow } from '../records/journal/journal.ts'
import { prunableScopes } from '../records/prune/prunable-scopes.ts'
import { type Pruned, prunedTogether } from '../records/prune/pruned.ts'
import { youngerThan } from '../records/prune/younger-than.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import { addedSums } from '../records/rows/sum-row.ts'
import { type Database, openDatabase, type SqlRow } from './database/index.ts'
import { bytesOf, giveSpaceBack, usedBytes } from './file-space.ts'
import { ledgerErrorFrom } from './ledger-error-from.ts'
import { sumOwnersIn } from './read-sums.ts'
import { storedTotals } from './reconcile.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { prepareStatements, type Statements } from './statements.ts'

const SCOPES = columnsOf('scopes')
const LEDGER = columnsOf('ledger')
const SUMS = columnsOf('sums')

export interface PruneOptions {
  /** Only what ended before this time. */
  readonly beforeMs: number
  readonly atMs: number
  /** Only count; change nothing. */
  readonly isDryRun?: boolean
  /** If more bytes than this are in use, also deletes what is younger, the oldest first, but never the last day. */
  readonly mostBytes?: number
  /** Does nothing if it was pruned less than this long ago. */
  readonly everyMs?: number
}

export interface PruneReport {
  readonly file: string
  /** `false`: it was pruned less than `everyMs` ago, and nothing was done. */
  readonly wasDue: boolean
  /** How many trees were pruned. */
  readonly roots: number
  readonly scopes: number
  readonly reservations: number
  readonly entries: number
  readonly events: number
  /** What ended before this was deleted: the `beforeMs` of the options, or later if the file was too large. */
  readonly beforeMs: number
  /** The file with its log before and after. Space that is not given back is used again. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

const OPTIONS = optionNames<PruneOptions>({
  beforeMs: true,
  atMs: true,
  isDryRun: true,
  mostBytes: true,
  everyMs: true,
})

// Each root is pruned in its own transaction, so other processes wait no longer than that.
const LONGEST_WAIT_MS = 10_000

/**
 * Deletes the details of what ended before `beforeMs`: ended scopes, finished reservations, and the part of each
 * journal that a checkpoint replaces. Counted amounts stay counted: totals are stored in the scopes above and never
 * shrink.
 */
export function pruneLedger(file: string, options: PruneOptions): PruneReport {
  assertKnownOptions('pruneLedger', options, OPTIONS)
  const { beforeMs, atMs, isDryRun = false, mostBytes, everyMs } = options
  if (mostBytes !== undefined) assertWholeNumber('pruneLedger({ mostBytes })', mostBytes, 1, Number.MAX_SAFE_INTEGER)
  const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID })
  try {
    database.exec(`PRAGMA busy_timeout = ${LONGEST_WAIT_MS}`)
    const statements = prepareStatements(database)
    const roots = statements.journalRoots.all().map((row) => SCOPES.text(row, 'root'))
    const bytesBefore = bytesOf(database)
    if (everyMs !== undefined && !isDue(statements, atMs, everyMs)) return nothingPruned(database, beforeMs)
    const pruned = new Map<string, Pruned>()
    let reachedMs = beforeMs
    for (const eachMs of [beforeMs, ...youngerThan(beforeMs, atMs)]) {
      // A dry run frees nothing, so what pruning by size would delete in addition is unknown.
      const isEnough = eachMs > beforeMs && (mostBytes === undefined || isDryRun || usedBytes(database) <= mostBytes)
      if (isEnough) break
      reachedMs = eachMs
      for (const root of roots) {
        const now = inTransaction(database, isDryRun, () => pruneRoot(statements, root, eachMs, atMs))
        pruned.set(root, prunedTogether(pruned.get(root), now))
      }
      inTransaction(database, isDryRun, () => {
        statements.pruneHolders.run(eachMs)
        statements.pruneDenials.run(eachMs)
      })
    }
    if (!isDryRun) {
      inTransaction(database, false, () => statements.writePrunedAt.run(atMs))
      giveSpaceBack(database)
    }
    const all = [...pruned.values()]
    const sum = (count: (each: Pruned) => number): number => all.reduce((total, each) => total + count(each), 0)
    return {
      file: database.file,
      wasDue: true,
      roots: sum(({ entries, events }) => Number(entries > 0 || events > 0)),
      scopes: sum(({ scopes }) => scopes),
      reservations: sum(({ reservations }) => reservations),
      entries: sum(({ entries }) => entries),
      events: sum(({ events }) => events),
      beforeMs: reachedMs,
      bytesBefore,
      bytesAfter: bytesOf(database),
    }
  } catch (error) {
    throw ledgerErrorFrom(error, database.file)
  } finally {
    database.close()
  }
}

/** A clock that went back must not postpone it forever. */
function isDue(statements: Statements, atMs: number, everyMs: number): boolean {
  const lastMs = LEDGER.integerOrNull(statements.prunedAt.get()!, 'pruned_at')
  return lastMs === null || lastMs > atMs || atMs - lastMs >= everyMs
}

function nothingPruned(database: Database, beforeMs: number): PruneReport {
  const bytes = bytesOf(database)
  const nothing = { roots: 0, scopes: 0, reservations: 0, entries: 0, events: 0 }
  return { file: database.file, wasDue: false, ...nothing, beforeMs, bytesBefore: bytes, bytesAfter: bytes }
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

function pruneRoot(statements: Statements, root: string, beforeMs: number, atMs: number): Pruned {
  const forgotten = numberIn(statements.lastForgotten.get(root, beforeMs, root, beforeMs))
  const events = statements.pruneEvents.run(root, beforeMs).changes
  keepSums(statements, [
    ...statements.sumsToPrune.all(root, beforeMs),
    ...statements.oldSumsToPrune.all(root, beforeMs),
  ])
  const reservations =
    statements.pruneCalls.run(root, beforeMs).changes + statements.pruneOldCalls.run(root, beforeMs).changes
  if (events > 0 || reservations > 0) statements.writeForgotten.run(forgotten, root)
  statements.pruneKeysRevoked.run(root, beforeMs)
  // Scopes that stay, since their totals are stored nowhere else: roots and budgets.
  statements.pruneAbout.run(root, beforeMs)
  statements.pruneDocuments.run(root, beforeMs)
  const old = prunableScopes(statements.scopesEnding.all(root), statements.callsUnfinished.all(root), beforeMs)
  if (old.length === 0 && reservations === 0) return { scopes: 0, reservations: 0, entries: 0, events }
  for (const id of old) {
    // Its remaining calls are younger than its end.
    statements.writeForgotten.run(numberIn(statements.lastToldOf.get(id)), root)
    keepSums(statements, [...statements.sumsToPruneOf.all(id), ...statements.oldSumsToPruneOf.all(id)])
    statements.pruneCallsOf.run(id)
    statements.pruneOldCallsOf.run(id)
    statements.pruneDenialsOf.run(id)
    statements.pruneCounters.run(id)
    statements.pruneDocument.run(id)
    statements.pruneRequests.run(id)
    statements.pruneKeysOf.run(id)
    statements.pruneScope.run(id)
  }
  const head = headFromRow(statements.journalHead.get(root))
  const place = head.place + 1
  const body = JSON.stringify(takeCheckpoint(checkpointRows(statements, root), head.hash, atMs))
  const totals = storedTotals(statements, root)
  statements.appendEntry.run(root, place, body, totals, hashEntry(head.hash, root, place, body, totals))
  const entries = statements.pruneJournal.run(root, place).changes
  // Makes every process read again: rows that they have in memory may be gone.
  statements.writePruned.run()
  return { scopes: old.length, reservations, entries, events }
}

/** Adds the calls that are about to be deleted to the sums. */
function keepSums(statements: Statements, rows: readonly SqlRow[]): void {
  const ownerOf = sumOwnersIn(statements)
  for (const row of rows) {
    const { payerOrdinal, agentType } = ownerOf(SUMS.integer(row, 'scope'))!
    const key = [row.hour!, payerOrdinal, agentType ?? '', row.call!, row.name!] as const
    const { calls, amounts, costs } = addedSums(row, statements.sum.get(...key))
    statements.writeSum.run(...key, calls, amounts, costs)
  }
}

/** The current state of the tree of a root. */
function checkpointRows(statements: Statements, root: string): CheckpointRows {
  const ids = statements.scopesOfRoot.all(root).map((row) => SCOPES.text(row, 'id'))
  return {
    scopes: ids.map((id) => ({ row: statements.scope.get(id)!, counters: statements.counters.all(id) })),
    unfinished: statements.callsUnfinished.all(root),
    finished: summaryOf(statements.callsFinished.iterate(root, root)),
    requests: statements.requestsOfRoot.all(root),
    keys: statements.keysOfRoot.all(root),
  }
}

function numberIn(row: SqlRow | undefined): number {
  return row === undefined ? 0 : (SCOPES.integerOrNull(row, 'number') ?? 0)
}
