import { StintError } from '../../core/index.ts'
import type { CopiedTable, LedgerCopy } from '../records/copy/ledger-copy.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import type { SqlRow } from '../records/rows/sql-row.ts'
import type { Session } from './database/connections.ts'
import { addressIn } from './database/database-address.ts'
import { migrate } from './database/migrate.ts'
import { arrayText, sendable } from './rows/array-text.ts'
import { type VerifyReport, verifyAll } from './verify/verify-ledger.ts'
import { withDatabase } from './with-database.ts'

const TYPES = columnsOf('columns')
const AT_ONCE = 500

/** The progress of a copy. */
export interface CopyProgress {
  readonly table: string
  readonly rows: number
}

/**
 * Writes a whole ledger into an empty database, in one transaction: after verification it is there completely, or not
 * at all. Throws if the target is not empty, or if the copy is not sound.
 */
export function writeCopy(
  url: string,
  copy: LedgerCopy,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<VerifyReport> {
  const { place } = addressIn('writeCopy', url)
  return withDatabase('writeCopy', url, async (session) => {
    await migrate(session)
    await session.begin()
    try {
      await assertEmpty(session, place)
      for (const table of copy.tables) await writeTable(session, table, onProgress)
      await goOnCounting(session)
      const seen = await verifyAll(session, (work) => work())
      const ok = seen.problems.length === 0 && seen.entries === copy.entries
      if (!ok) {
        const [first] = seen.problems
        const reason =
          first === undefined ? `${seen.entries} of ${copy.entries} entries` : `${first.place} ${first.problem}`
        throw new StintError(
          'ledger_damaged',
          `The copy at ${place} differs from the original (${reason}). Nothing was kept there.`,
        )
      }
      if (!(await session.commit())) throw new Error('The transaction was rolled back.')
      return { database: place, ok, ...seen }
    } catch (error) {
      await session.rollback().catch(() => {})
      throw error
    }
  })
}

/** Keeps others out until the end, and refuses to mix two ledgers. */
async function assertEmpty(session: Session, place: string): Promise<void> {
  await session.query({ text: 'LOCK TABLE roots, holders IN SHARE ROW EXCLUSIVE MODE', values: [] })
  const rows = await session.query({
    text: 'SELECT id FROM roots UNION ALL SELECT holder FROM holders LIMIT 1',
    values: [],
  })
  if (rows.length === 0) return
  throw new StintError(
    'invalid_option',
    `The database at ${place} already has a ledger that is not empty, and two ledgers cannot be merged. Use another schema (schema=NAME) or database.`,
  )
}

async function writeTable(
  session: Session,
  { table, columns, rows }: CopiedTable,
  onProgress: (progress: CopyProgress) => void,
): Promise<void> {
  const types = await typesOf(session, table)
  const lists = columns.map((column, place) => `$${place + 1}::${types.get(column)}[]`)
  const text = `INSERT INTO ${table} (${columns.join(', ')}${LATER.get(table)?.names ?? ''}) OVERRIDING SYSTEM VALUE
    SELECT *${LATER.get(table)?.values ?? ''} FROM unnest(${lists.join(', ')}) AS copied`
  let written = 0
  let some: SqlRow[] = []
  const flush = async (): Promise<void> => {
    const values = columns.map((column) => arrayText(some.map((row) => row[column] ?? null)))
    await session.query({ text, values })
    written += some.length
    some = []
    onProgress({ table, rows: written })
  }
  for (const row of rows) {
    assertSendable(table, row)
    some.push(row)
    if (some.length === AT_ONCE) await flush()
  }
  if (some.length > 0) await flush()
}

// Columns that only this store has.
const LATER: ReadonlyMap<string, { readonly names: string; readonly values: string }> = new Map([
  ['scopes', { names: ', change, steered', values: ', 0, 0' }],
])

async function typesOf(session: Session, table: string): Promise<ReadonlyMap<string, string>> {
  const text = `SELECT attname::text AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
    WHERE attrelid = $1::regclass AND attnum > 0`
  const rows = await session.query({ text, values: [table] })
  return new Map(rows.map((row) => [TYPES.text(row, 'name'), TYPES.text(row, 'type')]))
}

/** A file can hold text that Postgres cannot. */
function assertSendable(table: string, row: SqlRow): void {
  for (const [column, value] of Object.entries(row)) {
    if (value === null || sendable(value) !== null) continue
    const name = String(row.id ?? row.scope ?? row.entry ?? '')
    throw new StintError(
      'invalid_option',
      `${table}, row ${JSON.stringify(name)}: ${column} has a NUL or half a surrogate pair in it, which Postgres cannot store. Prune what has ended, and copy again.`,
    )
  }
}

/** Numbers continue after the highest copied one. */
async function goOnCounting(session: Session): Promise<void> {
  const statements = [
    `SELECT setval('numbers', (SELECT (coalesce(max(sequence), 0) / 1000000 + 1) * 1000000 FROM calls))`,
    `SELECT setval(pg_get_serial_sequence('scopes', 'ordinal'), (SELECT coalesce(max(ordinal), 1) FROM scopes))`,
    `SELECT setval(pg_get_serial_sequence('holds', 'ordinal'), (SELECT coalesce(max(ordinal), 1) FROM holds))`,
    `SELECT setval(pg_get_serial_sequence('journal', 'entry'), (SELECT coalesce(max(entry), 1) FROM journal))`,
    `INSERT INTO roots (id, change, written) SELECT id, 0, pg_current_xact_id() FROM scopes WHERE parent IS NULL`,
  ]
  for (const text of statements) await session.query({ text, values: [] })
}
