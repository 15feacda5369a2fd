import { ROW_WRITES, type RowWrite, type RowWriteName } from '../../records/rows/row-change.ts'
import type { SqlValue } from '../../records/rows/sql-row.ts'
import type { Query } from '../database/query.ts'
import { arrayText } from './array-text.ts'

const TEXTS = new Set(
  `id root parent name kind labels owner status pause limits ceilings about scope limit_key holder announced
  state fixed elastic charged crossings ending facts costs assumed event body meter per hash totals watch`.split(/\s+/),
)
const BYTES = new Set(['journal.hash'])
// Text in one table and a number in another.
const TEXT_IN = new Set(['scopes.series', 'calls.reserved'])

/** Writes any number of rows in one statement. */
export function writeRowsQuery(name: RowWriteName, rows: readonly (readonly SqlValue[])[]): Query {
  const { text, width } = STATEMENTS[name]
  const values: string[] = []
  for (let column = 0; column < width; column++) values.push(arrayText(rows.map((row) => row[column]!)))
  return { text, values }
}

const STATEMENTS = Object.fromEntries(
  Object.entries<RowWrite>(ROW_WRITES).map(([name, write]) => {
    return [name, { text: rowWriteSql(write), width: write.columns.length }]
  }),
) as Record<RowWriteName, { readonly text: string; readonly width: number }>

function rowWriteSql(write: RowWrite): string {
  const { table, action, columns, key } = write
  const lists = columns.map((column, place) => `$${place + 1}::${typeOf(table, column)}[]`).join(', ')
  const rows = `unnest(${lists}) WITH ORDINALITY AS fresh (${columns.join(', ')}, in_order)`
  const matches = key.map((column) => `${table}.${column} = fresh.${column}`).join(' AND ')
  if (action === 'delete') return `DELETE FROM ${table} USING ${rows} WHERE ${matches}`
  const others = columns.filter((column) => !key.includes(column))
  if (action === 'update') {
    const changes = others.map((column) => `${column} = fresh.${column}`).join(', ')
    return `UPDATE ${table} SET ${changes} FROM ${rows} WHERE ${matches}`
  }
  const insert = `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${columns.map((column) => insertedValue(write, column)).join(', ')}
    FROM ${rows} ORDER BY in_order`
  if (action === 'insert') return insert
  const updates = (write.updates ?? others).map((column) => `${column} = ${updateOf(write, column)}`)
  return `${insert} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${updates.join(', ')}`
}

function typeOf(table: string, column: string): 'bigint' | 'text' | 'bytea' {
  const place = `${table}.${column}`
  if (BYTES.has(place)) return 'bytea'
  return TEXT_IN.has(place) || TEXTS.has(column) ? 'text' : 'bigint'
}

function insertedValue({ ordinals = [] }: RowWrite, column: string): string {
  return ordinals.includes(column) ? `(SELECT ordinal FROM scopes WHERE id = fresh.${column})` : `fresh.${column}`
}

function updateOf({ table, highest = [], sums = [] }: RowWrite, column: string): string {
  if (highest.includes(column)) return `greatest(${table}.${column}, excluded.${column})`
  return sums.includes(column) ? `${table}.${column} + excluded.${column}` : `excluded.${column}`
}
