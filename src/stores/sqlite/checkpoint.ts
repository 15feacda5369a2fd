import { createHash } from 'node:crypto'
import type { IncreaseRecord, KeyRecord } from '../../core/index.ts'
import type { Ledger } from '../ledger/index.ts'
import { createScopeState } from '../ledger/scope-state.ts'
import type { SqlRow } from './database/index.ts'
import { identityFrom } from './sqlite-ledger.ts'
import type { Statements } from './statements.ts'
import { keyFromRow } from './stored-key.ts'
import { reservationFromRow } from './stored-reservation.ts'
import { fillScope } from './stored-scope.ts'

/** How the whole tree of a root stood, as an entry of its journal: what came before it can be pruned. */
export interface Checkpoint {
  readonly kind: 'checkpoint'
  readonly at: number
  /** The hash of the entry before it. */
  readonly previous: string
  readonly scopes: readonly { readonly row: SqlRow; readonly counters: readonly SqlRow[] }[]
  /** Those whose truth is not known yet. */
  readonly reservations: readonly SqlRow[]
  /** The others that are still kept: they never change, so that it is enough to know them again. */
  readonly finished: FinishedReservations
  readonly requests: readonly IncreaseRecord[]
  /** Not there in a checkpoint from before there were keys. */
  readonly keys?: readonly KeyRecord[]
}

interface FinishedReservations {
  readonly count: number
  readonly hash: string
}

/** How the tree stands now. */
export function takeCheckpoint(statements: Statements, root: string, previous: Uint8Array, at: number): Checkpoint {
  const ids = statements.scopesOfRoot.all(root).map(({ id }) => id as string)
  return {
    kind: 'checkpoint',
    at,
    previous: Buffer.from(previous).toString('hex'),
    scopes: ids.map((id) => ({ row: statements.scope.get(id)!, counters: statements.counters.all(id) })),
    reservations: statements.reservationsUnfinished.all(root),
    finished: summaryOf(statements.reservationsFinished.all(root)),
    requests: statements.requestsOfRoot.all(root).map(({ body }) => JSON.parse(body as string) as IncreaseRecord),
    keys: statements.keysOfRoot.all(root).map(keyFromRow),
  }
}

/** What finished reservations can be known by, in the order of their ids. */
export function summaryOf(rows: readonly SqlRow[]): FinishedReservations {
  const hash = createHash('sha256')
  for (const row of rows) hash.update(`${JSON.stringify(row)}\n`)
  return { count: rows.length, hash: hash.digest('hex') }
}

/** Makes an empty ledger what the checkpoint says. */
export function applyCheckpoint(ledger: Ledger, { scopes, reservations, requests, keys = [] }: Checkpoint): void {
  for (const { row, counters } of scopes) {
    const parent = row.parent === null ? null : (ledger.scopes.get(row.parent as string) ?? null)
    const scope = createScopeState(parent, identityFrom(row), row.opened_at as number, null)
    fillScope(scope, { row, counters, holdsOn: [], holdsOf: [] })
    ledger.scopes.add(scope)
  }
  for (const row of reservations) {
    ledger.reservations.add(reservationFromRow(row, ledger.scopes.get(row.scope as string)!))
  }
  for (const request of requests) ledger.requests.set(request)
  for (const key of keys) ledger.keys.set(key)
}

/** What came before a checkpoint is pruned, so it carries the hash of that itself; `null` if the entry is none. */
export function hashBeforeCheckpoint(body: string): Uint8Array | null {
  if (!body.startsWith('{"kind":"checkpoint"')) return null
  const hex = /^.{0,80}"previous":"([0-9a-f]{64})"/.exec(body.slice(0, 200))?.[1] ?? ''
  return Buffer.from(hex, 'hex')
}
