import { messageOf } from '../../../core/checks/thrown.ts'
import type { IncreaseRecord, KeyRecord, ReservationState } from '../../../core/index.ts'
import { applyFact } from '../../ledger/apply-fact.ts'
import type { JournalFact, Ledger } from '../../ledger/index.ts'
import { createMemoryLedger } from '../../ledger/state/memory-ledger.ts'
import { applyCheckpoint, type Checkpoint, hashBeforeCheckpoint } from '../checkpoint.ts'
import type { SqlRow } from '../database/index.ts'
import { hashEntry, totalsText } from '../journal.ts'
import { columnsOf } from '../rows/columns-of.ts'
import type { Statements } from '../statements.ts'
import { compareHistory } from './compare-history.ts'
import { compareKeys } from './compare-keys.ts'
import { compareRoot } from './compare-root.ts'
import type { ReportProblem } from './ledger-problem.ts'

const JOURNAL = columnsOf('journal')
const REQUESTS = columnsOf('requests')

/** The result for one root. */
export interface VerifiedRoot {
  readonly root: string
  /** Whether the whole chain could be added up. */
  readonly isWhole: boolean
  readonly scopes: number
  /** The reservations that its journal lists, and those that it only has a summary of. */
  readonly reservations: ReadonlySet<string>
  readonly finished: Checkpoint['finished'] | null
}

/** Verifies one root: its chain, then everything in its tree. */
export function verifyRoot(statements: Statements, root: string, report: ReportProblem): VerifiedRoot {
  const replayed = createMemoryLedger(
    { finishedReservationsKept: 2 ** 40, closedScopesKept: 2 ** 40, hasHistory: false },
    () => {},
  )
  const requests = new Map<string, IncreaseRecord>()
  const keys = new Map<string, KeyRecord>()
  let finished: Checkpoint['finished'] | null = null
  let before: Uint8Array = new Uint8Array(32)
  let place = 0
  for (const row of statements.journalOf.all(root)) {
    const problem = checkEntry(row, root, place, before) ?? replay(replayed, row, root)
    if (problem !== null) {
      report({ place: 'journal', row: `${row.entry} (of ${root})`, problem })
      // The sum is unknown from here on: the first bad row is the one to look at.
      return { root, isWhole: false, scopes: 0, reservations: new Set(), finished }
    }
    for (const fact of factsIn(row)) {
      if (fact.kind === 'checkpoint') finished = fact.finished
      for (const request of requestsIn(fact)) requests.set(request.id, request)
      for (const key of keysIn(fact)) keys.set(key.id, key)
    }
    before = JOURNAL.bytes(row, 'hash')
    place = JOURNAL.integer(row, 'place')
  }
  const scopes = compareRoot(statements, root, replayed, report)
  compareRequests(statements, root, requests, report)
  compareKeys(statements, root, keys, report)
  compareHistory(statements, root, report)
  return { root, isWhole: true, scopes, reservations: idsOf(replayed), finished }
}

/** The facts of an entry, in order. */
function factsIn(row: SqlRow): readonly (JournalFact | Checkpoint)[] {
  const facts = JOURNAL.json<JournalFact | Checkpoint | JournalFact[]>(row, 'body')
  return Array.isArray(facts) ? facts : [facts]
}

function requestsIn(fact: JournalFact | Checkpoint): readonly IncreaseRecord[] {
  if (fact.kind === 'checkpoint') return fact.requests
  return 'request' in fact ? [fact.request] : []
}

function keysIn(fact: JournalFact | Checkpoint): readonly KeyRecord[] {
  if (fact.kind === 'checkpoint') return fact.keys ?? []
  return 'key' in fact ? [fact.key] : []
}

function idsOf(replayed: Ledger): ReadonlySet<string> {
  const states = ['open', 'assumed', 'settled', 'released'] as const satisfies readonly ReservationState[]
  const most = Number.POSITIVE_INFINITY
  return new Set(states.flatMap((state) => Array.from(replayed.reservations.list({ state, most }), ({ id }) => id)))
}

function compareRequests(
  statements: Statements,
  root: string,
  expected: ReadonlyMap<string, IncreaseRecord>,
  report: ReportProblem,
): void {
  const stored = new Map(statements.requestsOfRoot.all(root).map((row) => [REQUESTS.text(row, 'id'), row]))
  for (const [id, { status, body }] of stored) {
    const wanted = expected.get(id)
    if (wanted === undefined) report({ place: 'requests', row: id, problem: 'is in no journal' })
    else if (status !== wanted.status || body !== JSON.stringify(wanted)) {
      report({ place: 'requests', row: id, problem: `is ${status}, but its journal says ${wanted.status}` })
    }
  }
  for (const { id, status } of expected.values()) {
    if (status === 'open' && !stored.has(id)) {
      report({ place: 'requests', row: id, problem: 'is missing, but its journal has it' })
    }
  }
}

function checkEntry(row: SqlRow, root: string, place: number, before: Uint8Array): string | null {
  const body = JOURNAL.text(row, 'body')
  const beginning = place === 0 ? hashBeforeCheckpoint(body) : null
  if (beginning === null && row.place !== place + 1)
    return `is not the next entry of its chain: ${place + 1} is missing`
  const here = JOURNAL.integer(row, 'place')
  const hash = hashEntry(beginning ?? before, root, here, body, JOURNAL.textOrNull(row, 'totals'))
  return Buffer.compare(hash, JOURNAL.bytes(row, 'hash')) === 0 ? null : 'was changed: its hash does not match'
}

function replay(ledger: Ledger, row: SqlRow, root: string): string | null {
  try {
    for (const fact of factsIn(row)) {
      // If the entries before a checkpoint are still there, they have already added up to it.
      if (fact.kind !== 'checkpoint') applyFact(ledger, fact)
      else if (ledger.scopes.get(root) === undefined) applyCheckpoint(ledger, fact)
    }
  } catch (error) {
    return `cannot be added up: ${messageOf(error)}`
  }
  const scope = ledger.scopes.get(root)
  if (row.totals === null || scope === undefined || totalsText(scope) === row.totals) return null
  return 'has totals that differ from the sum of its chain'
}
