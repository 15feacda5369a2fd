import { columnsOf } from '../../records/rows/columns-of.ts'
import type { Session } from '../database/connections.ts'
import { LEDGER_TABLES } from '../ledger-tables.ts'

const SIZES = columnsOf('sizes')

/** What the tables take with their indexes, with space that is free inside them. */
export async function sizeBytes(session: Session): Promise<number> {
  const text = 'SELECT sum(pg_total_relation_size(name::regclass))::bigint AS bytes FROM unnest($1::text[]) AS name'
  const [row] = await session.query({ text, values: [`{${LEDGER_TABLES.join(',')}}`] })
  return SIZES.integer(row!, 'bytes')
}

// Of each row.
const OVERHEAD_BYTES = 28

/** The part of that which holds something: deleted rows leave space that is used again. Reads every table. */
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
