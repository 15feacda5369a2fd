import { columnsOf } from '../records/rows/columns-of.ts'
import type { Session } from './database/connections.ts'
import { versionOf } from './database/migrate.ts'
import { LEDGER_TABLES } from './ledger-tables.ts'
import { reading, withDatabase } from './with-database.ts'

const FOUND = columnsOf('ledger')

/** Facts about a ledger in a database that don't require adding it up. */
export interface LedgerDescription {
  /** The server's version, as it reports it. */
  readonly serverVersion: string
  /** Whether it is a read-only replica. */
  readonly isReplica: boolean
  readonly isEncrypted: boolean
  /** The database schema that the tables are in. */
  readonly schema: string
  /** The version of the tables. */
  readonly version: number
  /** The tables with their indexes. */
  readonly sizeBytes: number
  /** About how many entries the journal has. */
  readonly entries: number
  /** What the address's user may do: read; also spend; also prune and migrate. */
  readonly rights: 'reader' | 'spender' | 'owner'
}

/** Describes a ledger in a database; `null` if it has none. Changes nothing. */
export function describeLedger(url: string): Promise<LedgerDescription | null> {
  return withDatabase('describeLedger', url, (session) => reading(session, () => describe(session)))
}

async function describe(session: Session): Promise<LedgerDescription | null> {
  const version = await versionOf(session)
  if (version === 0) return null
  const text = `SELECT current_setting('server_version') AS server, pg_is_in_recovery()::int AS replica,
    coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false)::int AS encrypted,
    (SELECT relnamespace::regnamespace::text FROM pg_class WHERE oid = 'journal'::regclass) AS schema,
    (SELECT sum(pg_total_relation_size(to_regclass(name)))::bigint FROM unnest($1::text[]) AS name) AS size,
    (SELECT reltuples::bigint FROM pg_class WHERE oid = 'journal'::regclass) AS entries,
    has_table_privilege('journal', 'DELETE')::int AS owner, has_table_privilege('journal', 'INSERT')::int AS spender`
  const [row] = await session.query({ text, values: [`{${LEDGER_TABLES.join(',')}}`] })
  const found = row!
  return {
    serverVersion: FOUND.text(found, 'server').split(' ')[0]!,
    isReplica: found.replica === 1,
    isEncrypted: found.encrypted === 1,
    schema: FOUND.text(found, 'schema'),
    version,
    sizeBytes: FOUND.integer(found, 'size'),
    entries: await entriesOf(session, FOUND.integer(found, 'entries')),
    rights: found.owner === 1 ? 'owner' : found.spender === 1 ? 'spender' : 'reader',
  }
}

// Counting a large journal takes long, and the server has an estimate.
const FEW = 100_000

async function entriesOf(session: Session, estimated: number): Promise<number> {
  if (estimated > FEW) return estimated
  const text = `SELECT count(*) AS entries FROM (SELECT 1 FROM journal LIMIT ${FEW}) AS counted`
  const [row] = await session.query({ text, values: [] })
  return FOUND.integer(row!, 'entries')
}
