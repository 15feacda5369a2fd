import { createSystemClock } from '../../system/index.ts'
import { summaryOf } from './checkpoint.ts'
import {
  checkIntegrity,
  createHighWater,
  type Database,
  type HighWaterReading,
  isBusyError,
  openDatabase,
  storeErrorFrom,
} from './database/index.ts'
import { entriesAppended, journalEnd } from './journal.ts'
import { ledgerIdOf } from './ledger-id.ts'
import type { LedgerProblem, ReportProblem } from './ledger-problem.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { prepareStatements, type Statements } from './statements.ts'
import type { UnreadableRowError } from './unreadable-row-error.ts'
import { type VerifiedRoot, verifyRoot } from './verify-root.ts'

export interface VerifyReport {
  readonly file: string
  readonly ok: boolean
  readonly entries: number
  readonly roots: number
  readonly scopes: number
  /** In the order in which they were found; bounded. */
  readonly problems: readonly LedgerProblem[]
}

const MOST_PROBLEMS = 100
const LONGEST_WAIT_MS = 5_000

/**
 * Adds a whole ledger up again from its journal, and compares: the file, every hash of every chain, and every counter,
 * scope and reservation. Changes nothing. Throws where the file cannot be opened as a ledger at all.
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

/** However broken it is, there is an answer: only others, who may let go of it, are no problem of the ledger. */
function verifyRows(database: Database, report: ReportProblem): typeof NOTHING_SEEN {
  try {
    const statements = prepareStatements(database)
    const mark = highWaterOf(database.file, statements)
    // All of it as of one moment: others may be writing.
    database.beginRead()
    const entries = journalEnd(statements)
    checkHighWater(mark, statements, entries, report)
    const seen = rootsOf(statements).map((root) => verifyRoot(statements, root, report))
    if (seen.every(({ isWhole }) => isWhole)) checkReservations(statements, seen, report)
    for (const { id } of statements.keysOfNobody.all()) {
      report({ place: 'keys', row: id as string, problem: 'is in no journal: its scope is not there' })
    }
    checkPlaces(statements, report)
    return { entries, roots: seen.length, scopes: seen.reduce((total, { scopes }) => total + scopes, 0) }
  } catch (error) {
    if (isBusyError(error)) throw storeErrorFrom(error, database.file)
    const { table = 'file', row = null, message } = error as Partial<UnreadableRowError>
    report({ place: table, row, problem: `cannot be read to its end (${message})` })
    return NOTHING_SEEN
  }
}

function rootsOf(statements: Statements): readonly string[] {
  const journalled = statements.journalRoots.all().map(({ root }) => root as string)
  const stored = statements.scopeRoots.all().map(({ root }) => root as string)
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
  const problem = `ends at entry ${entries}, but had ${had} already: its end is lost`
  report({ place: 'journal', row: String(entries), problem })
}

/** Every entry has its number and its place under one root, so that no root can go without leaving a gap. */
function checkPlaces(statements: Statements, report: ReportProblem): void {
  const missing = journalEnd(statements) - ((statements.journalPlaces.get()!.places ?? 0) as number)
  if (missing !== 0) report({ place: 'journal', row: null, problem: `${missing} entries are missing` })
}

/** No reservation may be there that no journal knows, by itself or in the sum of a checkpoint. */
function checkReservations(statements: Statements, seen: readonly VerifiedRoot[], report: ReportProblem): void {
  const byRoot = new Map(seen.map((each) => [each.root, each]))
  for (const { id, state, root } of statements.reservationIds.all()) {
    const tree = byRoot.get(root as string)
    if (tree?.reservations.has(id as string)) continue
    const isFinished = state === 'settled' || state === 'released'
    if (isFinished && tree !== undefined && tree.finished !== null) continue
    report({ place: 'reservations', row: id as string, problem: 'is in no journal' })
  }
  for (const { root, finished, reservations } of seen) {
    if (finished === null) continue
    const rows = statements.reservationsFinished.all(root).filter(({ id }) => !reservations.has(id as string))
    const { count, hash } = summaryOf(rows)
    if (hash === finished.hash) continue
    const problem = `of ${root} are not those that were finished at its checkpoint (${count} of ${finished.count})`
    report({ place: 'reservations', row: null, problem })
  }
}
