import type { Needs } from '../../src/stores/operations/needs.ts'
import { headFromRow } from '../../src/stores/records/journal/journal.ts'
import type { RowSource } from '../../src/stores/records/row-source.ts'
import { columnsOf } from '../../src/stores/records/rows/columns-of.ts'
import { ROW_WRITES, type WriteRow } from '../../src/stores/records/rows/row-change.ts'
import type { SqlRow } from '../../src/stores/records/rows/sql-row.ts'
import { createLoadedTable, type LoadedTable } from './loaded-table.ts'
import { NotLoadedError } from './not-loaded-error.ts'

/** What a store has loaded for `Needs`. A row may be in it twice. */
export interface Loaded {
  /** With their `ordinal`, the order in which they were opened. */
  readonly scopes?: readonly SqlRow[]
  /** With the id of their `scope`. */
  readonly counters?: readonly SqlRow[]
  /** With their `ordinal`, the order in which they were taken. */
  readonly holds?: readonly SqlRow[]
  /** `scope` is an id, and `fixed` is not null. */
  readonly calls?: readonly SqlRow[]
  readonly requests?: readonly SqlRow[]
  readonly keys?: readonly SqlRow[]
  readonly holders?: readonly SqlRow[]
  readonly documents?: readonly SqlRow[]
  readonly kept?: readonly SqlRow[]
  /** The last entry of each root: `root`, `place`, `hash`. */
  readonly journal?: readonly SqlRow[]
  /** The answer of a list, in its order: rows of scopes (their ids), calls, requests or keys. */
  readonly listed?: readonly SqlRow[]
  /** Of `busyHolders`. */
  readonly callHolders?: readonly string[]
  readonly owners?: readonly string[]
  readonly denials?: readonly SqlRow[]
  readonly events?: readonly SqlRow[]
  readonly ends?: readonly SqlRow[]
  readonly corrections?: readonly SqlRow[]
}

/** The rows that were loaded for one transaction, with what was written to them since. */
export interface LoadedRows extends RowSource {
  /** Adds what was loaded for these needs. Comes before anything is written. */
  add(needs: Needs, loaded: Loaded): void
  /** Changes the rows here, as the database is going to be changed. */
  readonly write: WriteRow
}

const NAMED = [
  'paths',
  'openBelow',
  'openReservationsOf',
  'ownedBy',
  'holders',
  'reservations',
  'requests',
  'requestsFor',
  'requestsOf',
  'keys',
  'keyHashes',
  'documents',
  'kept',
] as const satisfies readonly (keyof Needs)[]

type NamedNeed = (typeof NAMED)[number]

const SCOPES = columnsOf('scopes')
const TABLES = [
  'scopes',
  'counters',
  'holds',
  'calls',
  'requests',
  'keys',
  'holders',
  'documents',
  'kept',
  'journal',
] as const

/**
 * The rows for a database that answers later: load what an operation needs, run the operation on a stored ledger over
 * this, and write what it writes. A lookup that wasn't loaded throws `NotLoadedError`: start again, with that too.
 */
export function createLoadedRows(): LoadedRows {
  const tables = Object.fromEntries(TABLES.map((name) => [name, createLoadedTable(name)])) as Readonly<
    Record<(typeof TABLES)[number], LoadedTable>
  >
  const { scopes, counters, holds, calls, requests, keys, holders, documents, kept, journal } = tables
  const known = new Set<string>()
  let answers: Loaded = {}
  let asked: Needs = {}

  function assertLoaded(need: NamedNeed, name: string): void {
    if (!known.has(`${need} ${name}`)) throw new NotLoadedError({ [need]: [name] })
  }

  function assertAsked(need: Exclude<keyof Needs, NamedNeed>): void {
    if (asked[need] === undefined) throw new Error(`The operation does not say that it needs ${need}.`)
  }

  /** All open scopes below an ancestor were loaded, or the scope is new. */
  function assertBelowLoaded(id: string): void {
    for (let at: SqlRow | undefined = scopes.find({ id }); at !== undefined; ) {
      if (known.has(`openBelow ${at.id}`) || at.ordinal === undefined) return
      at = at.parent === null ? undefined : scopes.find({ id: at.parent! })
    }
    throw new NotLoadedError({ openBelow: [id] })
  }

  function one(table: LoadedTable, need: NamedNeed, name: string, where: SqlRow): SqlRow | undefined {
    const row = table.find(where)
    if (row === undefined) assertLoaded(need, name)
    return row
  }

  const idsOf = (rows: readonly SqlRow[]): readonly string[] => rows.map((row) => SCOPES.text(row, 'id'))
  const listed = (need: Exclude<keyof Needs, NamedNeed>): readonly SqlRow[] => {
    assertAsked(need)
    return answers.listed ?? []
  }

  return {
    add(needs, loaded) {
      asked = { ...asked, ...needs }
      answers = { ...answers, ...loaded }
      for (const need of NAMED) for (const name of needs[need] ?? []) known.add(`${need} ${name}`)
      for (const name of TABLES) for (const row of loaded[name] ?? []) tables[name].add(row)
      for (const id of needs.requests ?? []) known.add(`requestsOf ${requests.find({ id })?.scope}`)
    },
    write(name, values) {
      const write = ROW_WRITES[name]
      if (write.table in tables) tables[write.table as keyof typeof tables].write(write, values)
    },
    scope(id) {
      const row = one(scopes, 'paths', id, { id })
      if (row === undefined) return undefined
      const [holdsOn, holdsOf] = [holds.all({ scope: id }), holds.all({ holder: id })].map(inOrderTaken)
      return { row, counters: counters.all({ scope: id }), holdsOn: holdsOn!, holdsOf: holdsOf! }
    },
    scopesBelow(id) {
      assertBelowLoaded(id)
      return idsOf(inOrder(scopes.all({ parent: id, is_ended: 0 }), 'ordinal'))
    },
    scopesOwnedBy(holder) {
      assertLoaded('ownedBy', holder)
      return idsOf(inOrder(scopes.all({ owner: holder, is_ended: 0 }), 'ordinal'))
    },
    owners() {
      assertAsked('busyHolders')
      return answers.owners ?? []
    },
    scopesListed: () => idsOf(listed('scopesListed')),
    call: (id) => one(calls, 'reservations', id, { id }),
    callsOpenOf(holder) {
      assertLoaded('openReservationsOf', holder)
      return inOrder(calls.all({ holder, state: 'open' }), 'sequence')
    },
    callHolders() {
      assertAsked('busyHolders')
      return answers.callHolders ?? []
    },
    callsListed: () => listed('reservationsListed'),
    request: (id) => one(requests, 'requests', id, { id }),
    requestOpenFor: (key) => one(requests, 'requestsFor', key, { limit_key: key, status: 'open' }),
    requestsOpenOf(scopeId) {
      const scope = scopes.find({ id: scopeId })
      // A new scope has only new requests.
      if (scope?.ordinal !== undefined) assertLoaded('requestsOf', scopeId)
      return inOrder(inOrder(requests.all({ scope: scopeId, status: 'open' }), 'id'), 'opened_at')
    },
    requestsListed: () => listed('requestsListed'),
    key: (id) => one(keys, 'keys', id, { id }),
    keyByHash: (hash) => one(keys, 'keyHashes', hash, { hash }),
    keysListed: () => listed('keysListed'),
    holder(holder) {
      if (asked.busyHolders) return holders.find({ holder })
      return one(holders, 'holders', holder, { holder })
    },
    document: (scopeId) => one(documents, 'documents', scopeId, { scope: scopeId }),
    kept: (name) => one(kept, 'kept', name, { name }),
    denials() {
      assertAsked('denialsOf')
      return answers.denials ?? []
    },
    events() {
      assertAsked('history')
      return answers.events ?? []
    },
    historyCalls(_, by) {
      assertAsked('history')
      return (by === 'end' ? answers.ends : answers.corrections) ?? []
    },
    forgotten(rootId) {
      const row = scopes.find({ id: rootId })
      return row?.forgotten === undefined ? 0 : SCOPES.integer(row, 'forgotten')
    },
    chainHead: (rootId) => headFromRow(journal.all({ root: rootId }).at(-1)),
  }
}

function inOrderTaken(rows: readonly SqlRow[]): readonly SqlRow[] {
  return inOrder(rows, 'ordinal')
}

/** New rows have no ordinal yet, and come last. */
function inOrder(rows: readonly SqlRow[], column: string): readonly SqlRow[] {
  const placeOf = (row: SqlRow): string | number => {
    const value = row[column]
    return typeof value === 'string' || typeof value === 'number' ? value : Number.POSITIVE_INFINITY
  }
  return rows.toSorted((left, right) => {
    const [one, other] = [placeOf(left), placeOf(right)]
    return one === other ? 0 : one < other ? -1 : 1
  })
}
