import { columnsOf } from '../../records/rows/columns-of.ts'
import type { Session } from '../database/connections.ts'
import { LEDGER_TABLES } from '../ledger-tables.ts'

const SIZES = columnsOf('sizes')

/** The size of the tables and their indexes, including free space inside them. */
export async function sizeBytes(session: Session): Promise<number> {
  const text = 'SELECT sum(pg_total_relation_size(name::regclass))::bigint AS bytes FROM unnest($1::text[]) AS name'
  const [row] = await session.query({ text, values: [`{${LEDGER_TABLES.join(',')}}`] })
  return SIZES.integer(row!, 'bytes')
}

// Per row.
const OVERHEAD_BYTES = 28

/** The used part of that: deleted rows leave space that is reused. Reads every table. */
export async function usedBytes(session: Session): Promise<number> {
  const each = LEDGER_TABLES.map(
    (table) => `SELECT coalesce(sum(pg_column_size(${table}.*) + ${OVERHEAD_BYTES}), 0)
      * (pg_total_relation_size('${table}'::regclass) / greatest(1.0, pg_table_size('${table}'::regclass))) AS bytes
      FROM ${table}`,
  )
  const text = `SELECT round(sum(bytes))::bigint AS bytes FROM (${each.join(' UNION ALL ')}) AS tables`
  const [row] = await session.query({ text, values: [] })
  return SIZES.integer(row!, 'bytes')
}
