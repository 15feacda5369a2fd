import type { ReservationRecord } from '../../operations/index.ts'
import { createFactReader } from '../../records/journal/compact-facts.ts'
import { columnsOf } from '../../records/rows/columns-of.ts'
import { compareHistory } from '../../records/verify/compare-history.ts'
import { compareKeys } from '../../records/verify/compare-keys.ts'
import { compareRequests } from '../../records/verify/compare-requests.ts'
import { compareReservation, compareRoot, type StoredTree } from '../../records/verify/compare-root.ts'
import { isSameCall } from '../../records/verify/is-same-call.ts'
import type { ReportProblem } from '../../records/verify/ledger-problem.ts'
import { createRootCheck, type SummarizedReservations } from '../../records/verify/root-check.ts'
import { createSqliteLedger } from '../sqlite-ledger.ts'
import type { Statements } from '../statements.ts'

const JOURNAL = columnsOf('journal')
const SCOPES = columnsOf('scopes')

/** The result for one root. */
export interface VerifiedRoot {
  readonly root: string
  /** Whether the whole chain could be added up. */
  readonly isWhole: boolean
  readonly scopes: number
  /** How many stored reservations its journal lists. */
  readonly found: number
  /** Those that it only has a summary of. */
  readonly summary: SummarizedReservations | null
}

/**
 * Verifies one root: its chain, then everything in its tree. Entries are read one after the other, and a reservation is
 * compared when it ends.
 */
export function verifyRoot(statements: Statements, root: string, report: ReportProblem): VerifiedRoot {
  const check = createRootCheck(root, report)
  const tree = storedTree(statements, root)
  let found = 0
  for (const row of statements.journalOf.iterate(root)) {
    const ended = check.add(row)
    // The first bad row is the one to look at.
    if (ended === null) return { root, isWhole: false, scopes: 0, found: 0, summary: null }
    for (const expected of ended) found += compareFinished(statements, tree, expected, report)
  }
  const compared = compareRoot(tree, check.replayed, report)
  compareRequests(statements.requestsOfRoot.all(root), check.requests, report)
  compareKeys(statements.keysOfRoot.all(root), check.keys, report)
  compareHistory(root, statements.countTold.get(root), report)
  return { root, isWhole: true, scopes: compared.scopes, found: found + compared.unfinished, summary: check.summary() }
}

/** Compares a reservation that ended. Returns how many are stored: it may have been pruned. */
function compareFinished(
  statements: Statements,
  tree: StoredTree,
  expected: ReservationRecord,
  report: ReportProblem,
): number {
  const row = statements.callFinished.get(expected.sequence)
  if (row !== undefined && isSameCall(row, expected)) return 1
  return Number(compareReservation(tree, expected, report))
}

function storedTree(statements: Statements, root: string): StoredTree {
  return {
    ledger: createSqliteLedger(statements).records,
    scopeIds: statements.scopesOfRoot.all(root).map((row) => SCOPES.text(row, 'id')),
    filedUnder: (scopeId) => statements.scope.get(scopeId)!,
  }
}

/** The ids of all reservations in the journal of a root. */
export function reservationsInJournal(statements: Statements, root: string): ReadonlySet<string> {
  const { factsIn } = createFactReader()
  const ids = new Set<string>()
  for (const row of statements.journalOf.iterate(root)) {
    for (const fact of factsIn(JOURNAL.text(row, 'body'))) {
      if (fact.kind === 'reserved') ids.add(fact.reservation)
      if (fact.kind === 'checkpoint') for (const { id } of fact.reservations) ids.add(String(id))
    }
  }
  return ids
}
