import { DatabaseSync } from 'node:sqlite'
import { COUNTER_METERS } from '../../src/core/index.ts'

/** A scope, with its tokens. */
export interface ScopeRow {
  readonly id: string
  readonly parent: string | null
  readonly isOpen: boolean
  readonly isOrphaned: boolean
  readonly openChildren: number
  readonly settled: number
  readonly reserved: number
  readonly held: number
  /** `null` without one. */
  readonly limit: number | null
}

/** A reservation, with its tokens. */
export interface ReservationRow {
  readonly id: string
  readonly scope: string
  readonly state: string
  readonly reserved: number
  readonly charged: number
}

export interface LedgerRows {
  readonly scopes: ReadonlyMap<string, ScopeRow>
  readonly reservations: ReadonlyMap<string, ReservationRow>
  readonly documents: ReadonlyMap<string, string>
}

const TOKENS = COUNTER_METERS.indexOf('tokens')

/** Everything that the checks look at, read from the file past the store, as of one moment. */
export function readRows(file: string): LedgerRows {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = <Row>(sql: string) => database.prepare(sql).all() as unknown as readonly Row[]
  try {
    database.exec('PRAGMA busy_timeout = 10000; BEGIN')
    const counters = new Map(rows<CounterRow>(COUNTERS).map((row) => [row.scope, row]))
    const holds = new Map(rows<{ scope: string; held: number }>(HOLDS).map(({ scope, held }) => [scope, held]))
    const scopes = rows<StoredScope>('SELECT * FROM scopes').map((row) => {
      const { settled = 0, reserved = 0 } = counters.get(row.id) ?? {}
      const { id, parent, is_ended: ended, is_orphaned: orphaned, open_children: openChildren } = row
      const standing = { isOpen: ended === 0, isOrphaned: orphaned === 1, openChildren }
      return { id, parent, ...standing, settled, reserved, held: holds.get(id) ?? 0, limit: limitOf(row) }
    })
    const reservations = rows<StoredReservation>(
      'SELECT calls.*, scopes.id AS scope FROM calls JOIN scopes ON scopes.ordinal = calls.scope',
    ).map((row) => {
      return { ...row, reserved: tokensIn(row.reserved), charged: tokensIn(row.charged) }
    })
    const documents = rows<{ scope: string; body: string }>('SELECT scope, body FROM documents')
    return {
      scopes: new Map(scopes.map((row) => [row.id, row])),
      reservations: new Map(reservations.map((row) => [row.id, row])),
      documents: new Map(documents.map(({ scope, body }) => [scope, body])),
    }
  } finally {
    database.close()
  }
}

const COUNTERS = `SELECT scope, settled, reserved FROM counters JOIN scopes ON scopes.id = scope
  WHERE json_extract(scopes.series, '$[' || counters.series || '].index') = ${TOKENS}
    AND json_extract(scopes.series, '$[' || counters.series || '].per') IS NULL`
const HOLDS = 'SELECT scope, sum(amount) AS held FROM holds GROUP BY scope'

interface CounterRow {
  readonly scope: string
  readonly settled: number
  readonly reserved: number
}

interface StoredScope {
  readonly id: string
  readonly parent: string | null
  readonly is_ended: number
  readonly is_orphaned: number
  readonly open_children: number
  readonly limits: string
}

interface StoredReservation {
  readonly id: string
  readonly scope: string
  readonly state: string
  readonly reserved: string
  readonly charged: string | null
}

function limitOf({ limits }: StoredScope): number | null {
  const all = JSON.parse(limits) as readonly { readonly limit: { readonly meter: string; readonly max: number } }[]
  return all.find(({ limit }) => limit.meter === 'tokens')?.limit.max ?? null
}

function tokensIn(amounts: string | null): number {
  return amounts === null ? 0 : ((JSON.parse(amounts) as readonly number[])[TOKENS] ?? 0)
}
