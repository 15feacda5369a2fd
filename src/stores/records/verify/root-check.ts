import { messageOf } from '../../../core/checks/thrown.ts'
import type { IncreaseRecord, KeyRecord } from '../../../core/index.ts'
import type { JournalFact, Ledger, ReservationRecord } from '../../operations/index.ts'
import { replayFact } from '../../operations/replay-fact.ts'
import { createMemoryLedger } from '../../operations/state/memory-ledger.ts'
import { applyCheckpoint, type Checkpoint, hashBeforeCheckpoint } from '../journal/checkpoint.ts'
import { createFactReader, type FactReader } from '../journal/compact-facts.ts'
import { hashEntry, totalsText } from '../journal/journal.ts'
import { columnsOf } from '../rows/columns-of.ts'
import type { SqlRow } from '../rows/sql-row.ts'
import type { ReportProblem } from './ledger-problem.ts'

const JOURNAL = columnsOf('journal')

/** The chain of one root, added up entry by entry. */
export interface RootCheck {
  /**
   * Adds the next entry up. Returns the reservations that ended with it, which are to be compared with what is stored;
   * `null` if the entry is wrong, which is reported: the sum is unknown from there on.
   */
  add(entry: SqlRow): readonly ReservationRecord[] | null
  /** The sum of the entries so far. */
  readonly replayed: Ledger
  readonly requests: ReadonlyMap<string, IncreaseRecord>
  readonly keys: ReadonlyMap<string, KeyRecord>
  /** The reservations that it only has a summary of. */
  summary(): SummarizedReservations | null
}

/** The finished reservations of a checkpoint: all that were made before a number, except some. */
export interface SummarizedReservations {
  readonly finished: Checkpoint['finished']
  readonly before: number
  readonly except: ReadonlySet<string>
}

// They are compared when they end.
const FINISHED_KEPT = 100

/** Reservations are forgotten some time after they have ended, so that the memory does not grow with the journal. */
export function createRootCheck(root: string, report: ReportProblem): RootCheck {
  const replayed = createMemoryLedger(
    { finishedReservationsKept: FINISHED_KEPT, closedScopesKept: 2 ** 40, hasHistory: false },
    () => {},
  )
  const { factsIn } = createFactReader()
  const requests = new Map<string, IncreaseRecord>()
  const keys = new Map<string, KeyRecord>()
  let summary: SummarizedReservations | null = null
  let before: Uint8Array = new Uint8Array(32)
  let place = 0

  /** Called with each fact that was just added up. */
  function note(fact: JournalFact | Checkpoint, ended: ReservationRecord[]): void {
    if (fact.kind === 'checkpoint') {
      const except = new Set(fact.reservations.map(({ id }) => String(id)))
      summary = { finished: fact.finished, before: Number.POSITIVE_INFINITY, except }
    } else if (fact.kind === 'reserved') {
      if (summary !== null) summary = { ...summary, before: Math.min(summary.before, fact.sequence) }
    } else if ('charged' in fact && (fact.state === 'settled' || fact.state === 'released')) {
      ended.push(replayed.reservations.get(fact.reservation)!)
    }
    for (const request of requestsIn(fact)) requests.set(request.id, request)
    for (const key of keysIn(fact)) keys.set(key.id, key)
  }

  return {
    replayed,
    requests,
    keys,
    summary: () => summary,
    add(entry) {
      const ended: ReservationRecord[] = []
      const problem =
        checkEntry(entry, root, place, before) ?? replay(replayed, entry, root, factsIn, (fact) => note(fact, ended))
      if (problem !== null) {
        report({ place: 'journal', row: `${entry.entry} (of ${root})`, problem })
        return null
      }
      before = JOURNAL.bytes(entry, 'hash')
      place = JOURNAL.integer(entry, 'place')
      return ended
    },
  }
}

function requestsIn(fact: JournalFact | Checkpoint): readonly IncreaseRecord[] {
  if (fact.kind === 'checkpoint') return fact.requests
  return 'request' in fact ? [fact.request] : []
}

function keysIn(fact: JournalFact | Checkpoint): readonly KeyRecord[] {
  if (fact.kind === 'checkpoint') return fact.keys ?? []
  return 'key' in fact ? [fact.key] : []
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

/** Adds up an entry, and passes on each of its facts. Returns what is wrong with it. */
function replay(
  ledger: Ledger,
  row: SqlRow,
  root: string,
  factsIn: FactReader['factsIn'],
  note: (fact: JournalFact | Checkpoint) => void,
): string | null {
  try {
    for (const fact of factsIn(JOURNAL.text(row, 'body'))) {
      // If the entries before a checkpoint are still there, they have already added up to it.
      if (fact.kind !== 'checkpoint') replayFact(ledger, fact)
      else if (ledger.scopes.get(root) === undefined) applyCheckpoint(ledger, fact)
      note(fact)
    }
  } catch (error) {
    return `cannot be added up: ${messageOf(error)}`
  }
  const scope = ledger.scopes.get(root)
  if (row.totals === null || scope === undefined || totalsText(scope) === row.totals) return null
  return 'has totals that differ from the sum of its chain'
}
