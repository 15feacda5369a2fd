import type { RowWrite } from '../records/rows/row-change.ts'

/** The statement that writes a change of a row, with its values as parameters. */
export function rowWriteSql(write: RowWrite): string {
  const { table, action, columns, key } = write
  if (action === 'insert') return insertSql(write)
  const where = key.map((column) => `${column} = ?`).join(' AND ')
  if (action === 'delete') return `DELETE FROM ${table} WHERE ${where}`
  const others = columns.filter((column) => !key.includes(column))
  if (action === 'update') return `UPDATE ${table} SET ${others.map((each) => `${each} = ?`).join(', ')} WHERE ${where}`
  const updates = (write.updates ?? others).map((column) => `${column} = ${updateOf(write, column)}`)
  return `${insertSql(write)} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${updates.join(', ')}`
}

function insertSql({ table, columns, ordinals = [] }: RowWrite): string {
  const values = columns.map((column) => {
    return ordinals.includes(column) ? '(SELECT ordinal FROM scopes WHERE id = ?)' : '?'
  })
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`
}

function updateOf({ highest = [], sums = [] }: RowWrite, column: string): string {
  if (highest.includes(column)) return `max(${column}, excluded.${column})`
  return sums.includes(column) ? `${column} + excluded.${column}` : `excluded.${column}`
}
