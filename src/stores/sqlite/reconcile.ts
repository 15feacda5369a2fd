import { hashBeforeCheckpoint } from '../records/journal/checkpoint.ts'
import { hashEntry } from '../records/journal/journal.ts'
import { totalsFromRows } from '../records/journal/totals-from-rows.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import { type Database, damagedLedger, type HighWater, ledgerLostTail } from './database/index.ts'
import { entriesAppended, journalEnd } from './journal-end.ts'
import { ledgerIdOf } from './ledger-id.ts'
import { readStored } from './read-stored.ts'
import type { Statements } from './statements.ts'

const SCOPES = columnsOf('scopes')
const JOURNAL = columnsOf('journal')

// Opening a ledger must stay quick whatever its size; `verifyLedger` checks everything.
const MOST_ROOTS = 1_000

/**
 * Checks a ledger against its journal when it is opened: nothing is missing at the end, the last entry of every root is
 * intact, and the root's counters match it.
 */
export function assertReconciled(database: Database, statements: Statements, highWater: HighWater): void {
  const { file } = database
  const mark = highWater.read()
  // One consistent state: other processes may be writing. If it throws, the caller ends the transaction.
  database.beginRead()
  const entries = journalEnd(statements)
  const marked = mark?.kind === 'read' && mark.ledgerId === ledgerIdOf(statements) ? mark.entries : 0
  const had = Math.max(marked, entriesAppended(statements))
  if (had > entries) throw ledgerLostTail({ file, entries, highWater: had })
  for (const row of statements.openRoots.all(MOST_ROOTS)) {
    const problem = problemOf(statements, SCOPES.text(row, 'id'))
    if (problem !== null) throw damagedLedger(file, problem)
  }
  database.commit()
}

function problemOf(statements: Statements, root: string): string | null {
  const head = statements.journalHead.get(root)
  if (head === undefined) return `has no journal for the scope ${JSON.stringify(root)}`
  const place = JOURNAL.integer(head, 'place')
  const body = JOURNAL.text(head, 'body')
  const before = statements.journalBefore.get(root, place - 1)
  const previous =
    before === undefined ? (hashBeforeCheckpoint(body) ?? new Uint8Array(32)) : JOURNAL.bytes(before, 'hash')
  const hash = hashEntry(previous, root, place, body, JOURNAL.textOrNull(head, 'totals'))
  if (Buffer.compare(hash, JOURNAL.bytes(head, 'hash')) !== 0)
    return `is damaged: entry ${head.entry} of its journal was changed`
  if (storedTotals(statements, root) === head.totals) return null
  return `is damaged: the counters of ${JSON.stringify(root)} differ from entry ${head.entry} of its journal`
}

/** The stored settled and reserved totals of a scope, as the same text as in the journal. */
export function storedTotals(statements: Statements, scopeId: string): string {
  const row = readStored('scopes', scopeId, () => statements.scope.get(scopeId))
  const counters = readStored('counters', scopeId, () => statements.counters.all(scopeId))
  return readStored('scopes', scopeId, () => totalsFromRows(row, counters))
}
