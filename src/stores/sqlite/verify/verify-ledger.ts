import { messageOf } from '../../../core/checks/thrown.ts'
import { createSystemClock } from '../../../system/index.ts'
import { summaryOf } from '../../records/journal/checkpoint.ts'
import { columnsOf } from '../../records/rows/columns-of.ts'
import type { SqlRow } from '../../records/rows/sql-row.ts'
import { UnreadableRowError } from '../../records/rows/unreadable-row-error.ts'
import type { LedgerProblem, ReportProblem } from '../../records/verify/ledger-problem.ts'
import {
  checkIntegrity,
  createHighWater,
  type Database,
  type HighWaterReading,
  isBusyError,
  openDatabase,
  storeErrorFrom,
} from '../database/index.ts'
import { entriesAppended, journalEnd } from '../journal-end.ts'
import { ledgerIdOf } from '../ledger-id.ts'
import { APPLICATION_ID, MIGRATIONS } from '../schema.ts'
import { prepareStatements, type Statements } from '../statements.ts'
import { reservationsInJournal, type VerifiedRoot, verifyRoot } from './verify-root.ts'

const KEYS = columnsOf('keys')
const JOURNAL = columnsOf('journal')
const CALLS = columnsOf('calls')

export interface VerifyReport {
  readonly file: string
  readonly ok: boolean
  readonly entries: number
  readonly roots: number
  readonly scopes: number
  /** In the order they were found; bounded. */
  readonly problems: readonly LedgerProblem[]
}

const MOST_PROBLEMS = 100
const LONGEST_WAIT_MS = 5_000

/**
 * Adds up a whole ledger from its journal and compares: the file, every hash of every chain, and every counter, scope
 * and reservation. Changes nothing. Throws if the file can't be opened as a ledger at all.
 */
export function verifyLedger(file: string): VerifyReport {
  const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID, readOnly: true })
  try {
    database.exec(`PRAGMA busy_timeout = ${LONGEST_WAIT_MS}`)
    return verify(database)
  } finally {
    database.rollback()
    database.close()
  }
}

function verify(database: Database): VerifyReport {
  const problems: LedgerProblem[] = []
  const report: ReportProblem = (problem) => {
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  for (const problem of checkIntegrity(database)) report({ place: 'file', row: null, problem })
  const seen = verifyRows(database, report)
  return { file: database.file, ok: problems.length === 0, ...seen, problems }
}

const NOTHING_SEEN = { entries: 0, roots: 0, scopes: 0 }

/**
 * Always returns an answer, however broken the ledger is. Only a lock of another process, which may be released, isn't
 * reported as a problem of the ledger.
 */
function verifyRows(database: Database, report: ReportProblem): typeof NOTHING_SEEN {
  try {
    const statements = prepareStatements(database)
    const mark = highWaterOf(database.file, statements)
    // One consistent state: other processes may be writing.
    database.beginRead()
    const entries = journalEnd(statements)
    checkHighWater(mark, statements, entries, report)
    const seen = rootsOf(statements).map((root) => verifyRoot(statements, root, report))
    if (seen.every(({ isWhole }) => isWhole)) checkReservations(statements, seen, report)
    for (const row of statements.keysOfNobody.all()) {
      report({ place: 'keys', row: KEYS.text(row, 'id'), problem: 'is in no journal: its scope is missing' })
    }
    checkPlaces(statements, report)
    return { entries, roots: seen.length, scopes: seen.reduce((total, { scopes }) => total + scopes, 0) }
  } catch (error) {
    if (isBusyError(error)) throw storeErrorFrom(error, database.file)
    const { table, row } = error instanceof UnreadableRowError ? error : { table: 'file', row: null }
    report({ place: table, row, problem: `cannot be read to its end (${messageOf(error)})` })
    return NOTHING_SEEN
  }
}

function rootsOf(statements: Statements): readonly string[] {
  const journalled = statements.journalRoots.all().map((row) => JOURNAL.text(row, 'root'))
  const stored = statements.scopeRoots.all().map((row) => JOURNAL.text(row, 'root'))
  return [...new Set([...journalled, ...stored])]
}

function highWaterOf(file: string, statements: Statements): HighWaterReading | null {
  return createHighWater(file, { ledgerId: ledgerIdOf(statements), clock: createSystemClock() }).read()
}

function checkHighWater(
  mark: HighWaterReading | null,
  statements: Statements,
  entries: number,
  report: ReportProblem,
): void {
  const place = 'high-water file'
  if (mark === null) report({ place, row: null, problem: 'is missing' })
  else if (mark.kind === 'damaged') report({ place, row: null, problem: mark.reason })
  else if (mark.ledgerId !== ledgerIdOf(statements)) {
    report({ place, row: null, problem: 'belongs to another ledger' })
  }
  const marked = mark?.kind === 'read' && mark.ledgerId === ledgerIdOf(statements) ? mark.entries : 0
  const had = Math.max(marked, entriesAppended(statements))
  if (had <= entries) return
  const problem = `ends at entry ${entries}, but already had ${had}: its end is lost`
  report({ place: 'journal', row: String(entries), problem })
}

/** Every entry has its number and its place under one root, so a missing root leaves a gap. */
function checkPlaces(statements: Statements, report: ReportProblem): void {
  const places = JOURNAL.integerOrNull(statements.journalPlaces.get()!, 'places') ?? 0
  const missing = journalEnd(statements) - places
  if (missing !== 0) report({ place: 'journal', row: null, problem: `${missing} entries are missing` })
}

/** Every stored reservation must be in a journal, by itself or in the summary of a checkpoint. */
function checkReservations(statements: Statements, seen: readonly VerifiedRoot[], report: ReportProblem): void {
  let listed = 0
  for (const { root, found, summary } of seen) {
    listed += found
    if (summary === null) continue
    const { before, except, finished } = summary
    const { count, hash } = summaryOf(summarized(statements.callsFinished.iterate(root, root), before, except))
    listed += count
    if (hash === finished.hash) continue
    const problem = `of ${root} are not those that were finished at its checkpoint (${count} of ${finished.count})`
    report({ place: 'reservations', row: null, problem })
  }
  // Only if there are more, they are looked up one by one.
  if (CALLS.integer(statements.countCalls.get()!, 'number') !== listed) reportStrangers(statements, seen, report)
}

function* summarized(rows: Iterable<SqlRow>, before: number, except: ReadonlySet<string>): Iterable<SqlRow> {
  for (const row of rows) {
    if (CALLS.integer(row, 'sequence') < before && !except.has(CALLS.text(row, 'id'))) yield row
  }
}

function reportStrangers(statements: Statements, seen: readonly VerifiedRoot[], report: ReportProblem): void {
  const byRoot = new Map(
    seen.map(({ root, summary }) => [root, { summary, ids: reservationsInJournal(statements, root) }]),
  )
  for (const row of statements.callIds.iterate()) {
    const { state } = row
    const id = CALLS.text(row, 'id')
    const tree = byRoot.get(CALLS.textOrNull(row, 'root') ?? '')
    if (tree?.ids.has(id)) continue
    const isFinished = state === 'settled' || state === 'released'
    if (isFinished && tree !== undefined && tree.summary !== null) continue
    report({ place: 'reservations', row: id, problem: 'is in no journal' })
  }
}
