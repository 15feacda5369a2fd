import { hash } from 'node:crypto'
import { COUNTER_METERS } from '../../../core/index.ts'
import type { ScopeState } from '../../operations/index.ts'
import type { ChangeLog } from '../change-log.ts'
import { columnsOf } from '../rows/columns-of.ts'
import type { WriteRow } from '../rows/row-change.ts'
import type { SqlRow } from '../rows/sql-row.ts'
import type { ChainHead } from './chain-head.ts'
import { bodyFromFacts } from './compact-facts.ts'

const JOURNAL = columnsOf('journal')

const NOTHING_BEFORE: ChainHead = { place: 0, hash: new Uint8Array(32) }

/** The end of a root's chain, from the row of its last entry. */
export function headFromRow(row: SqlRow | undefined): ChainHead {
  return row === undefined ? NOTHING_BEFORE : { place: JOURNAL.integer(row, 'place'), hash: JOURNAL.bytes(row, 'hash') }
}

/** The ends of the chains, as far as they were needed. */
export interface ChainHeads {
  get(rootId: string): ChainHead
  set(rootId: string, head: ChainHead): void
  clear(): void
}

export function createChainHeads(stored: (rootId: string) => ChainHead): ChainHeads {
  const heads = new Map<string, ChainHead>()
  return {
    get: (rootId) => heads.get(rootId) ?? stored(rootId),
    set: (rootId, head) => void heads.set(rootId, head),
    clear: () => heads.clear(),
  }
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
export function appendEntries(changes: ChangeLog, write: WriteRow, heads: ChainHeads): void {
  for (const [root, facts] of changes.facts) {
    const head = heads.get(root.id)
    const place = head.place + 1
    const body = bodyFromFacts(facts)
    const totals = totalsText(root)
    const hash = hashEntry(head.hash, root.id, place, body, totals)
    write('appendEntry', [root.id, place, body, totals, hash])
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
