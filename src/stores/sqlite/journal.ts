import { hash } from 'node:crypto'
import { COUNTER_METERS } from '../../core/index.ts'
import type { ScopeState } from '../ledger/index.ts'
import type { ChangeLog } from './change-log.ts'
import type { SqlRow } from './database/index.ts'
import { columnsOf } from './rows/columns-of.ts'
import type { Statements } from './statements.ts'

const JOURNAL = columnsOf('journal')

/** The last entry of a root's chain. */
export interface ChainHead {
  readonly place: number
  readonly hash: Uint8Array
}

const NOTHING_BEFORE: ChainHead = { place: 0, hash: new Uint8Array(32) }

/** The end of a root's chain as it is stored. */
export function headOf(statements: Statements, root: string): ChainHead {
  const row = statements.journalHead.get(root)
  return row === undefined ? NOTHING_BEFORE : { place: JOURNAL.integer(row, 'place'), hash: JOURNAL.bytes(row, 'hash') }
}

/** The hash of an entry: over all its content and the previous hash. */
export function hashEntry(
  before: Uint8Array,
  root: string,
  place: number,
  body: string,
  totals: string | null,
): Uint8Array {
  // A list is used as is: serializing thousands of characters as JSON again costs more than the hash.
  const isList = body.startsWith('[')
  const text = isList ? JSON.stringify([root, place, totals]) + body : JSON.stringify([root, place, body, totals])
  return hash('sha256', Buffer.concat([before, Buffer.from(text)]), 'buffer')
}

/**
 * Appends the facts of one transaction to the chain of each root, as one entry: a fact or a list of facts. The entry
 * includes what the root has settled and reserved, so that a ledger can be checked against its journal without adding
 * it all up.
 */
export function appendEntries(statements: Statements, heads: Map<string, ChainHead>, changes: ChangeLog): void {
  for (const [root, facts] of changes.facts) {
    const head = heads.get(root.id) ?? headOf(statements, root.id)
    const place = head.place + 1
    const body = JSON.stringify(facts.length === 1 ? facts[0] : facts)
    const totals = totalsText(root)
    const hash = hashEntry(head.hash, root.id, place, body, totals)
    statements.append.run(root.id, place, body, totals, hash)
    heads.set(root.id, { place, hash })
  }
}

/** The settled and reserved totals of a scope, by counter index. */
export function totalsText(scope: ScopeState): string {
  const totals: (readonly [index: number, settled: number, reserved: number])[] = []
  for (let index = 0; index < COUNTER_METERS.length; index++) {
    for (const { index: ofSeries, per, present } of scope.series) {
      const { settled, reserved } = present
      if (ofSeries === index && per === null && (settled > 0 || reserved > 0)) totals.push([index, settled, reserved])
    }
  }
  return JSON.stringify(totals)
}

/** The number of the last entry. */
export function journalEnd(statements: Statements): number {
  return entryIn(statements.journalEnd.get())
}

/** How many entries were ever appended, by SQLite's own count. Never less than the number of the last. */
export function entriesAppended(statements: Statements): number {
  return entryIn(statements.journalAppended.get())
}

function entryIn(row: SqlRow | undefined): number {
  return row === undefined ? 0 : (JOURNAL.integerOrNull(row, 'entry') ?? 0)
}
