import { hash } from 'node:crypto'
import type { ScopeState } from '../ledger/index.ts'
import type { ChangeLog } from './change-log.ts'
import type { Statements } from './statements.ts'

/** The last entry of a root's chain. */
export interface ChainHead {
  readonly place: number
  readonly hash: Uint8Array
}

const NOTHING_BEFORE: ChainHead = { place: 0, hash: new Uint8Array(32) }

/** The end of a root's chain as it is stored. */
export function headOf(statements: Statements, root: string): ChainHead {
  const row = statements.journalHead.get(root)
  return row === undefined ? NOTHING_BEFORE : { place: row.place as number, hash: row.hash as Uint8Array }
}

/** The hash of an entry: over everything in it, and over the one before it. */
export function hashEntry(
  before: Uint8Array,
  root: string,
  place: number,
  body: string,
  totals: string | null,
): Uint8Array {
  // A list is taken as it stands: writing thousands of characters as JSON once more costs more than the hash.
  const isList = body.startsWith('[')
  const text = isList ? JSON.stringify([root, place, totals]) + body : JSON.stringify([root, place, body, totals])
  return hash('sha256', Buffer.concat([before, Buffer.from(text)]), 'buffer')
}

/**
 * Appends what happened in one transaction to the chain of each root, as one entry: a fact, or the list of its facts.
 * It also says what the root has settled and reserved then, so that a ledger can be held against its journal without
 * adding it all up.
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

/** What a scope has settled and reserved over its life, by the index of the counter. */
export function totalsText(scope: ScopeState): string {
  const totals = scope.series
    .filter(({ per }) => per === null)
    .map(({ index, present }) => [index, present.settled, present.reserved] as const)
    .filter(([, settled, reserved]) => settled > 0 || reserved > 0)
    .toSorted(([left], [right]) => left - right)
  return JSON.stringify(totals)
}

/** The number of the last entry. */
export function journalEnd(statements: Statements): number {
  return (statements.journalEnd.get()?.entry ?? 0) as number
}

/** How many entries were ever appended, as SQLite itself counted them. Never less than the number of the last. */
export function entriesAppended(statements: Statements): number {
  return (statements.journalAppended.get()?.entry ?? 0) as number
}
