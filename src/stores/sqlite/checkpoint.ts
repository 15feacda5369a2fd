import { createHash } from 'node:crypto'
import type { IncreaseRecord, KeyRecord } from '../../core/index.ts'
import type { Ledger } from '../ledger/index.ts'
import { createScopeState } from '../ledger/state/scope-state.ts'
import type { SqlRow } from './database/index.ts'
import { columnsOf } from './rows/columns-of.ts'
import { keyFromRow } from './rows/stored-key.ts'
import { reservationFromRow } from './rows/stored-reservation.ts'
import { fillScope } from './rows/stored-scope.ts'
import { identityFrom } from './sqlite-ledger.ts'
import type { Statements } from './statements.ts'

const SCOPES = columnsOf('scopes')
const REQUESTS = columnsOf('requests')
const CALLS = columnsOf('calls')

/** The state of a root's whole tree, as an entry of its journal: everything before it can be pruned. */
export interface Checkpoint {
  readonly kind: 'checkpoint'
  readonly at: number
  /** The hash of the previous entry. */
  readonly previous: string
  readonly scopes: readonly { readonly row: SqlRow; readonly counters: readonly SqlRow[] }[]
  /** The open and the assumed ones. */
  readonly reservations: readonly SqlRow[]
  /** The finished ones that are still stored. They never change, so a summary is enough to recognize them. */
  readonly finished: FinishedReservations
  readonly requests: readonly IncreaseRecord[]
  /** Absent in a checkpoint from before there were keys. */
  readonly keys?: readonly KeyRecord[]
}

interface FinishedReservations {
  readonly count: number
  readonly hash: string
}

/** The current state of the tree. */
export function takeCheckpoint(statements: Statements, root: string, previous: Uint8Array, at: number): Checkpoint {
  const ids = statements.scopesOfRoot.all(root).map((row) => SCOPES.text(row, 'id'))
  return {
    kind: 'checkpoint',
    at,
    previous: Buffer.from(previous).toString('hex'),
    scopes: ids.map((id) => ({ row: onlyFacts(statements.scope.get(id)!), counters: statements.counters.all(id) })),
    reservations: statements.callsUnfinished.all(root).map(onlyFacts),
    finished: summaryOf(statements.callsFinished.all(root, root)),
    requests: statements.requestsOfRoot.all(root).map((row) => REQUESTS.json<IncreaseRecord>(row, 'body')),
    keys: statements.keysOfRoot.all(root).map(keyFromRow),
  }
}

// Descriptions are not in the journal, so that they can be removed.
const DESCRIPTIONS = new Set(['about', 'ending', 'ended_at', 'told', 'corrected', 'corrected_at', 'assumed'])

function onlyFacts(row: SqlRow): SqlRow {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !DESCRIPTIONS.has(column)))
}

/** A summary that identifies finished reservations, in the order of their ids. */
export function summaryOf(rows: readonly SqlRow[]): FinishedReservations {
  const hash = createHash('sha256')
  for (const { facts, ...row } of rows) {
    // Those of earlier versions have none, and their summary stays the same.
    hash.update(`${JSON.stringify(facts === null ? row : { ...row, facts })}\n`)
  }
  return { count: rows.length, hash: hash.digest('hex') }
}

/** Fills an empty ledger from a checkpoint. */
export function applyCheckpoint(ledger: Ledger, { scopes, reservations, requests, keys = [] }: Checkpoint): void {
  for (const { row, counters } of scopes) {
    const parent = row.parent === null ? null : (ledger.scopes.get(SCOPES.text(row, 'parent')) ?? null)
    const scope = createScopeState(parent, identityFrom(row), SCOPES.integer(row, 'opened_at'), null)
    fillScope(scope, { row, counters, holdsOn: [], holdsOf: [] })
    ledger.scopes.add(scope)
  }
  for (const row of reservations) {
    ledger.reservations.add(reservationFromRow(row, ledger.scopes.get(CALLS.text(row, 'scope'))!))
  }
  for (const request of requests) ledger.requests.set(request)
  for (const key of keys) ledger.keys.set(key)
}

/**
 * The entries before a checkpoint are pruned, so it carries their last hash itself; `null` if the entry isn't a
 * checkpoint.
 */
export function hashBeforeCheckpoint(body: string): Uint8Array | null {
  if (!body.startsWith('{"kind":"checkpoint"')) return null
  const hex = /^.{0,80}"previous":"([0-9a-f]{64})"/.exec(body.slice(0, 200))?.[1] ?? ''
  return Buffer.from(hex, 'hex')
}
