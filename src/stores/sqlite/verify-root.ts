import type { IncreaseRecord, KeyRecord, ReservationState } from '../../core/index.ts'
import { applyFact } from '../ledger/apply-fact.ts'
import type { JournalFact, Ledger } from '../ledger/index.ts'
import { createMemoryLedger } from '../ledger/memory-ledger.ts'
import { applyCheckpoint, type Checkpoint, hashBeforeCheckpoint } from './checkpoint.ts'
import { compareKeys } from './compare-keys.ts'
import { compareRoot } from './compare-root.ts'
import type { SqlRow } from './database/index.ts'
import { hashEntry, totalsText } from './journal.ts'
import type { ReportProblem } from './ledger-problem.ts'
import type { Statements } from './statements.ts'

/** What was seen of a root. */
export interface VerifiedRoot {
  readonly root: string
  /** Whether the whole chain could be added up. */
  readonly isWhole: boolean
  readonly scopes: number
  /** Those that its journal knows by themselves, and those that it only knows the sum of. */
  readonly reservations: ReadonlySet<string>
  readonly finished: Checkpoint['finished'] | null
}

/** One root: its chain, then everything of its tree. */
export function verifyRoot(statements: Statements, root: string, report: ReportProblem): VerifiedRoot {
  const replayed = createMemoryLedger({ finishedReservationsKept: 2 ** 40, closedScopesKept: 2 ** 40 }, () => {})
  const requests = new Map<string, IncreaseRecord>()
  const keys = new Map<string, KeyRecord>()
  let finished: Checkpoint['finished'] | null = null
  let before: Uint8Array = new Uint8Array(32)
  let place = 0
  for (const row of statements.journalOf.all(root)) {
    const problem = checkEntry(row, root, place, before) ?? replay(replayed, row, root)
    if (problem !== null) {
      report({ place: 'journal', row: `${row.entry} (of ${root})`, problem })
      // What it adds up to is not known from here on: the first bad row is the one to look at.
      return { root, isWhole: false, scopes: 0, reservations: new Set(), finished }
    }
    for (const fact of factsIn(row.body as string)) {
      if (fact.kind === 'checkpoint') finished = fact.finished
      for (const request of requestsIn(fact)) requests.set(request.id, request)
      for (const key of keysIn(fact)) keys.set(key.id, key)
    }
    before = row.hash as Uint8Array
    place = row.place as number
  }
  const scopes = compareRoot(statements, root, replayed, report)
  compareRequests(statements, root, requests, report)
  compareKeys(statements, root, keys, report)
  return { root, isWhole: true, scopes, reservations: idsOf(replayed), finished }
}

/** The facts of an entry, in the order in which they happened. */
function factsIn(body: string): readonly (JournalFact | Checkpoint)[] {
  const facts = JSON.parse(body) as JournalFact | Checkpoint | JournalFact[]
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
  const stored = new Map(statements.requestsOfRoot.all(root).map((row) => [row.id as string, row]))
  for (const [id, { status, body }] of stored) {
    const wanted = expected.get(id)
    if (wanted === undefined) report({ place: 'requests', row: id, problem: 'is in no journal' })
    else if (status !== wanted.status || body !== JSON.stringify(wanted)) {
      report({ place: 'requests', row: id, problem: `is ${status}, its journal says ${wanted.status}` })
    }
  }
  for (const { id, status } of expected.values()) {
    if (status === 'open' && !stored.has(id)) {
      report({ place: 'requests', row: id, problem: 'is missing: its journal has it' })
    }
  }
}

function checkEntry(row: SqlRow, root: string, place: number, before: Uint8Array): string | null {
  const body = row.body as string
  const beginning = place === 0 ? hashBeforeCheckpoint(body) : null
  if (beginning === null && row.place !== place + 1) return `is not the next of its chain: ${place + 1} is missing`
  const hash = hashEntry(beginning ?? before, root, row.place as number, body, row.totals as string | null)
  return Buffer.compare(hash, row.hash as Uint8Array) === 0 ? null : 'is not what was written: its hash does not fit'
}

function replay(ledger: Ledger, row: SqlRow, root: string): string | null {
  try {
    for (const fact of factsIn(row.body as string)) {
      // What a checkpoint says is what the entries before it have added up to, where they are still there.
      if (fact.kind !== 'checkpoint') applyFact(ledger, fact)
      else if (ledger.scopes.get(root) === undefined) applyCheckpoint(ledger, fact)
    }
  } catch (error) {
    return `cannot be added up: ${error instanceof Error ? error.message : String(error)}`
  }
  const scope = ledger.scopes.get(root)
  if (row.totals === null || scope === undefined || totalsText(scope) === row.totals) return null
  return 'says other totals than its chain adds up to'
}
