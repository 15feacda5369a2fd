import type { CopiedTable, LedgerCopy } from '../records/copy/ledger-copy.ts'
import { columnsOf } from '../records/rows/columns-of.ts'
import { openDatabase } from './database/index.ts'
import { ledgerErrorFrom } from './ledger-error-from.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'

const COUNTS = columnsOf('journal')
const LONGEST_WAIT_MS = 5_000

const CALL_TEXTS = 'id, holder, state, at_ms, sequence, fixed, elastic, units, reserved, charged, crossings'
const CALL_ENDS = 'about, ending, facts, costs, ended_at, told, corrected, corrected_at, assumed'
const NO_ENDS = CALL_ENDS.split(', ')
  .map((column) => `NULL AS ${column}`)
  .join(', ')

/** Each table with its query. Calls from before they had their own table are included with the others. */
const TABLES: readonly (readonly [table: string, sql: string])[] = [
  [
    'scopes',
    `SELECT ordinal, id, root, parent, name, kind, labels, opened_at, owner, is_orphaned, status, is_ended, closed_at,
      pause, occupies_place, revision, limits, ceilings, series, active_ms, open_children, about, told, forgotten, watch
      FROM scopes ORDER BY ordinal`,
  ],
  ['counters', 'SELECT scope, series, start_ms, end_ms, settled, reserved, announced FROM counters'],
  ['holds', 'SELECT ordinal, scope, limit_key, holder, amount FROM holds ORDER BY ordinal'],
  [
    'calls',
    `SELECT ${CALL_TEXTS}, root, scope, ${CALL_ENDS} FROM calls
      UNION ALL SELECT ${CALL_TEXTS.replace('id,', 'reservations.id AS id,')}, tops.ordinal, places.ordinal, ${NO_ENDS}
        FROM (SELECT id, holder, state, at_ms, sequence, fixed, elastic, units, reserved, charged, crossings,
          scope AS place FROM reservations) AS reservations
        JOIN (SELECT id AS place_id, root AS place_root, ordinal FROM scopes) AS places ON place_id = place
        JOIN (SELECT id AS top_id, ordinal FROM scopes) AS tops ON top_id = place_root`,
  ],
  ['events', 'SELECT root, number, scope, at_ms, event, body FROM events'],
  ['denials', 'SELECT scope, meter, per, resets_at, count, last_at FROM denials'],
  ['sums', 'SELECT hour, root, agent_type, call, name, calls, amounts, costs FROM sums'],
  ['holders', 'SELECT holder, beats, beat_at, died_at FROM holders'],
  ['requests', 'SELECT id, scope, limit_key, status, opened_at, body FROM requests'],
  ['keys', 'SELECT id, scope, hash, created_at, revoked_at, body FROM keys'],
  ['documents', 'SELECT scope, body FROM documents'],
  ['kept', 'SELECT name, body FROM kept'],
  ['journal', 'SELECT entry, root, place, body, totals, hash FROM journal ORDER BY entry'],
]

/** Reads a whole ledger for another store. No other process can write to the file until `work` is done. */
export async function readCopy<Result>(file: string, work: (copy: LedgerCopy) => Promise<Result>): Promise<Result> {
  const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID })
  try {
    database.exec(`PRAGMA busy_timeout = ${LONGEST_WAIT_MS}`)
    database.beginWrite()
    const counted = database.prepare('SELECT count(*) AS entries FROM journal').get()
    const tables = TABLES.map(([table, sql]): CopiedTable => {
      const statement = database.prepare(sql)
      return {
        table,
        columns: columnsIn(sql),
        rows: { [Symbol.iterator]: () => statement.iterate()[Symbol.iterator]() },
      }
    })
    return await work({ entries: COUNTS.integer(counted!, 'entries'), tables })
  } catch (error) {
    throw ledgerErrorFrom(error, database.file)
  } finally {
    database.rollback()
    database.close()
  }
}

/** The names of the columns, between SELECT and the first FROM. */
function columnsIn(sql: string): readonly string[] {
  return sql
    .slice('SELECT '.length, sql.indexOf(' FROM'))
    .split(',')
    .map((column) => column.trim())
}
