import { columnsOf } from '../../records/rows/columns-of.ts'
import { MIGRATIONS } from '../schema.ts'
import type { Session } from './connections.ts'
import { LedgerVersionError } from './ledger-version-error.ts'

const LEDGER = columnsOf('ledger')

// Any number: two processes that start together must not both create the tables.
const MIGRATION_LOCK = 736_300
// As the server words it when a table is created there.
const NO_SCHEMA = '3F000'

/** Brings the tables to the current version. Only adds; takes a lock, so that one process does it. */
export async function migrate(session: Session): Promise<void> {
  // Locks nothing if there is nothing to do.
  await session.begin(true)
  const version = await versionOf(session)
  await session.rollback()
  if (version > MIGRATIONS.length) throw new LedgerVersionError(version, MIGRATIONS.length)
  if (version === MIGRATIONS.length) return
  try {
    await migrateLocked(session)
  } catch (error) {
    await session.rollback().catch(() => {})
    throw error
  }
}

async function migrateLocked(session: Session): Promise<void> {
  await session.begin()
  await session.script(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  const version = await versionOf(session)
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index >= version) await session.script(`${migration}; UPDATE ledger SET schema = ${index + 1}`)
  }
  await session.commit()
}

/** The version of the tables; 0 if there are none. Throws if their schema does not exist. */
export async function versionOf(session: Session): Promise<number> {
  // Not by `to_regclass`, which may cache that there was none although another process has created it meanwhile.
  const text = `SELECT count(*) AS tables, (current_schema() IS NULL)::int AS homeless FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relname = 'ledger' AND nspname = ANY (current_schemas(false))`
  const [row] = await session.query({ text, values: [] })
  if (row!.homeless === 1) throw Object.assign(new Error('The schema does not exist.'), { code: NO_SCHEMA })
  if (LEDGER.integer(row!, 'tables') === 0) return 0
  const [ledger] = await session.query({ text: 'SELECT schema FROM ledger', values: [] })
  return LEDGER.integer(ledger!, 'schema')
}
