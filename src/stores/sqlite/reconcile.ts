import { hashBeforeCheckpoint } from './checkpoint.ts'
import { type Database, damagedLedger, type HighWater, ledgerLostTail } from './database/index.ts'
import { entriesAppended, hashEntry, journalEnd } from './journal.ts'
import { ledgerIdOf } from './ledger-id.ts'
import type { Statements } from './statements.ts'
import { readRow } from './unreadable-row-error.ts'

// Opening a ledger must stay quick however much is in it; `verifyLedger` looks at everything.
const MOST_ROOTS = 1_000

/**
 * Holds a ledger that is opened against its journal: nothing that was written is missing at the end, the last entry
 * of every root is whole, and the counters of the root are what it says.
 */
export function assertReconciled(database: Database, statements: Statements, highWater: HighWater): void {
  const { file } = database
  const mark = highWater.read()
  // All of it as of one moment: others may be writing. If it throws, whoever opened the ledger ends that.
  database.beginRead()
  const entries = journalEnd(statements)
  const marked = mark?.kind === 'read' && mark.ledgerId === ledgerIdOf(statements) ? mark.entries : 0
  const had = Math.max(marked, entriesAppended(statements))
  if (had > entries) throw ledgerLostTail({ file, entries, highWater: had })
  for (const { id } of statements.openRoots.all(MOST_ROOTS)) {
    const problem = problemOf(statements, id as string)
    if (problem !== null) throw damagedLedger(file, problem)
  }
  database.commit()
}

function problemOf(statements: Statements, root: string): string | null {
  const head = statements.journalHead.get(root)
  if (head === undefined) return `has no journal of the scope ${JSON.stringify(root)}`
  const place = head.place as number
  const before = statements.journalBefore.get(root, place - 1)?.hash as Uint8Array | undefined
  const previous = before ?? hashBeforeCheckpoint(head.body as string) ?? new Uint8Array(32)
  const hash = hashEntry(previous, root, place, head.body as string, head.totals as string | null)
  if (Buffer.compare(hash, head.hash as Uint8Array) !== 0)
    return `is damaged: entry ${head.entry} of its journal is not what was written`
  if (storedTotals(statements, root) === head.totals) return null
  return `is damaged: the counters of ${JSON.stringify(root)} are not what entry ${head.entry} of its journal says`
}

interface StoredSeries {
  readonly index: number
  readonly per: unknown
}

/** What a scope has settled and reserved over its life, as it is stored: the same text as in the journal. */
export function storedTotals(statements: Statements, scopeId: string): string {
  const series = readRow('scopes', scopeId, () => {
    return JSON.parse((statements.scope.get(scopeId)?.series ?? '[]') as string) as readonly StoredSeries[]
  })
  const totals = readRow('counters', scopeId, () => statements.counters.all(scopeId))
    .filter((counter) => series[counter.series as number]?.per === null)
    .map(({ series: ordinal, settled, reserved }) => [series[ordinal as number]!.index, settled, reserved] as const)
    .filter(([, settled, reserved]) => settled !== 0 || reserved !== 0)
    .toSorted(([left], [right]) => left - right)
  return JSON.stringify(totals)
}
