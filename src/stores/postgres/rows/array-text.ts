import type { SqlValue } from '../../records/rows/sql-row.ts'

/** Values as the text of a Postgres array. */
export function arrayText(values: readonly SqlValue[]): string {
  return `{${values.map(elementText).join(',')}}`
}

/** A value as it is sent. Text that Postgres can't store is not a valid id: it becomes NULL, which equals no text. */
export function sendable(value: SqlValue): SqlValue {
  return typeof value === 'string' && !isStorable(value) ? null : value
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function elementText(unchecked: SqlValue): string {
  const value = sendable(unchecked)
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}"`
}
