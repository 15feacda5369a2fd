import { createHash } from 'node:crypto'
import type { IncreaseRecord, KeyRecord } from '../../../core/index.ts'
import type { Ledger } from '../../operations/index.ts'
import { createScopeState } from '../../operations/state/scope-state.ts'
import { columnsOf } from '../rows/columns-of.ts'
import { reservationFromRow } from '../rows/reservation-row.ts'
import { fillScope, identityFrom } from '../rows/scope-row.ts'
import type { SqlRow } from '../rows/sql-row.ts'
import { keyFromRow } from '../tables/stored-keys.ts'

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

export interface FinishedReservations {
  readonly count: number
  readonly hash: string
}

/** The rows of a tree. */
export interface CheckpointRows {
  /** In the order in which they were opened. */
  readonly scopes: readonly { readonly row: SqlRow; readonly counters: readonly SqlRow[] }[]
  readonly unfinished: readonly SqlRow[]
  readonly finished: FinishedReservations
  readonly requests: readonly SqlRow[]
  readonly keys: readonly SqlRow[]
}

/** The current state of the tree. */
export function takeCheckpoint(rows: CheckpointRows, previous: Uint8Array, at: number): Checkpoint {
  return {
    kind: 'checkpoint',
    at,
    previous: Buffer.from(previous).toString('hex'),
    scopes: rows.scopes.map(({ row, counters }) => ({ row: onlyFacts(row), counters })),
    reservations: rows.unfinished.map(onlyFacts),
    finished: rows.finished,
    requests: rows.requests.map((row) => REQUESTS.json<IncreaseRecord>(row, 'body')),
    keys: rows.keys.map(keyFromRow),
  }
}

// Descriptions are not in the journal, so that they can be removed.
const DESCRIPTIONS = new Set([
  'about',
  'ending',
  'ended_at',
  'told',
  'watch',
  'corrected',
  'corrected_at',
  'assumed',
  'is_old',
])

function onlyFacts(row: SqlRow): SqlRow {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !DESCRIPTIONS.has(column)))
}

/** A summary that identifies finished reservations, which are added in the order of their ids. */
export interface FinishedSummary {
  add(row: SqlRow): void
  end(): FinishedReservations
}

export function createFinishedSummary(): FinishedSummary {
  const hash = createHash('sha256')
  let count = 0
  return {
    add({ facts, ...row }) {
      // Those of earlier versions have none, and their summary stays the same.
      hash.update(`${JSON.stringify(facts === null ? row : { ...row, facts })}\n`)
      count++
    },
    end: () => ({ count, hash: hash.digest('hex') }),
  }
}

/** The same of rows that are at hand. */
export function summaryOf(rows: Iterable<SqlRow>): FinishedReservations {
  const summary = createFinishedSummary()
  for (const row of rows) summary.add(row)
  return summary.end()
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
