import type { Ledger, ReservationRecord } from '../../operations/index.ts'
import { createFinishedSummary } from '../../records/journal/checkpoint.ts'
import { createFactReader } from '../../records/journal/compact-facts.ts'
import { columnsOf } from '../../records/rows/columns-of.ts'
import type { SqlRow } from '../../records/rows/sql-row.ts'
import { compareHistory } from '../../records/verify/compare-history.ts'
import { compareKeys } from '../../records/verify/compare-keys.ts'
import { compareRequests } from '../../records/verify/compare-requests.ts'
import { compareReservation, compareScopes, reportMissing, unfinishedIn } from '../../records/verify/compare-root.ts'
import { isSameCall } from '../../records/verify/is-same-call.ts'
import type { ReportProblem } from '../../records/verify/ledger-problem.ts'
import { createRootCheck, type SummarizedReservations } from '../../records/verify/root-check.ts'
import type { Session } from '../database/connections.ts'
import type { Query } from '../database/query.ts'
import { rowsOf } from '../database/rows-of.ts'
import { loadTree } from './stored-tree.ts'
import {
  callIdsOf,
  callsEnded,
  callsFinishedOf,
  countCallsOf,
  countToldOf,
  journalOf,
  keysOf,
  requestsOf,
  scopeIdsOf,
} from './tree-queries.ts'

const JOURNAL = columnsOf('journal')
const SCOPES = columnsOf('scopes')
const CALLS = columnsOf('calls')

/** How much of a tree was compared. */
export interface VerifiedRoot {
  readonly entries: number
  readonly scopes: number
}

/** Verifies one root in one consistent state: its chain, then everything in its tree. */
export async function verifyRoot(session: Session, root: string, report: ReportProblem): Promise<VerifiedRoot> {
  const check = createRootCheck(root, report)
  const { replayed } = check
  let entries = 0
  let found = 0
  for await (const rows of rowsOf(session, journalOf(root))) {
    const ended: ReservationRecord[] = []
    for (const row of rows) {
      const now = check.add(row)
      // The first bad row is the one to look at.
      if (now === null) return { entries, scopes: 0 }
      entries++
      ended.push(...now)
    }
    found += await compareEnded(session, ended, report)
  }
  const scopes = await compareAllScopes(session, root, replayed, report)
  if (entries === 0 && scopes.size === 0)
    report({ place: 'roots', row: root, problem: 'has neither a journal nor scopes' })
  for (const some of inParts(unfinishedIn(replayed))) found += await compareEach(session, some, report)
  compareRequests(await session.query(requestsOf(root)), check.requests, report)
  compareKeys(await session.query(keysOf(root)), check.keys, report)
  const [told] = await session.query(countToldOf(root))
  compareHistory(root, told, report)
  await compareCallCount(session, root, { found, summary: check.summary() }, report)
  return { entries, scopes: scopes.size }
}

const AT_ONCE = 500

function* inParts<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  for (let from = 0; from < items.length; from += AT_ONCE) yield items.slice(from, from + AT_ONCE)
}

/** Compares reservations that ended. Returns how many are stored: they may have been pruned. */
async function compareEnded(
  session: Session,
  ended: readonly ReservationRecord[],
  report: ReportProblem,
): Promise<number> {
  let found = 0
  for (const some of inParts(ended)) {
    const rows = await session.query(callsEnded(some.map(({ sequence }) => sequence)))
    const bySequence = new Map(rows.map((row) => [row.sequence, row]))
    const others = some.filter((expected) => {
      const row = bySequence.get(expected.sequence)
      return row === undefined || !isSameCall(row, expected)
    })
    found += some.length - others.length + (await compareEach(session, others, report))
  }
  return found
}

async function compareEach(
  session: Session,
  expected: readonly ReservationRecord[],
  report: ReportProblem,
): Promise<number> {
  if (expected.length === 0) return 0
  const tree = await loadTree(session, { callIds: expected.map(({ id }) => id) })
  return expected.filter((each) => compareReservation(tree, each, report)).length
}

async function compareAllScopes(
  session: Session,
  root: string,
  replayed: Ledger,
  report: ReportProblem,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>()
  for await (const rows of rowsOf(session, scopeIdsOf(root))) {
    const scopeIds = rows.map((row) => SCOPES.text(row, 'id'))
    compareScopes(await loadTree(session, { scopeIds }), replayed, report)
    for (const id of scopeIds) seen.add(id)
  }
  reportMissing(seen, replayed, report)
  return seen
}

interface KnownCalls {
  /** How many of those that the journal lists are stored. */
  readonly found: number
  readonly summary: SummarizedReservations | null
}

/** Every stored reservation must be in the journal, by itself or in the summary of a checkpoint. */
async function compareCallCount(
  session: Session,
  root: string,
  { found, summary }: KnownCalls,
  report: ReportProblem,
): Promise<void> {
  const listed = found + (summary === null ? 0 : await compareSummary(session, root, summary, report))
  const [row] = await session.query(countCallsOf(root))
  // Only if there are more, they are looked up one by one.
  if (CALLS.integer(row!, 'number') !== listed) await reportStrangers(session, root, summary, report)
}

async function compareSummary(
  session: Session,
  root: string,
  { before, except, finished }: SummarizedReservations,
  report: ReportProblem,
): Promise<number> {
  const summary = createFinishedSummary()
  for await (const rows of rowsOf(session, callsFinishedOf(root))) {
    for (const row of rows) {
      if (CALLS.integer(row, 'sequence') < before && !except.has(CALLS.text(row, 'id'))) summary.add(row)
    }
  }
  const { count, hash } = summary.end()
  if (hash !== finished.hash) {
    const problem = `of ${root} are not those that were finished at its checkpoint (${count} of ${finished.count})`
    report({ place: 'reservations', row: null, problem })
  }
  return count
}

async function reportStrangers(
  session: Session,
  root: string,
  summary: SummarizedReservations | null,
  report: ReportProblem,
): Promise<void> {
  const known = await idsIn(session, journalOf(root))
  for await (const rows of rowsOf(session, callIdsOf(root))) {
    for (const row of rows) {
      const isSummarized = summary !== null && (row.state === 'settled' || row.state === 'released')
      const id = CALLS.text(row, 'id')
      if (!isSummarized && !known.has(id)) report({ place: 'reservations', row: id, problem: 'is in no journal' })
    }
  }
}

/** The ids of all reservations in a journal. */
async function idsIn(session: Session, journal: Query): Promise<ReadonlySet<string>> {
  const { factsIn } = createFactReader()
  const ids = new Set<string>()
  const note = (row: SqlRow): void => {
    for (const fact of factsIn(JOURNAL.text(row, 'body'))) {
      if (fact.kind === 'reserved') ids.add(fact.reservation)
      if (fact.kind === 'checkpoint') for (const { id } of fact.reservations) ids.add(String(id))
    }
  }
  for await (const rows of rowsOf(session, journal)) rows.forEach(note)
  return ids
}
