import { showValue } from '../../../core/errors.ts'
import type { SqlRow } from './sql-row.ts'
import { UnreadableRowError } from './unreadable-row-error.ts'

/** Reads columns of one table. Throws `UnreadableRowError` for a value that the schema doesn't allow. */
export interface Columns {
  text(row: SqlRow, column: string): string
  textOrNull(row: SqlRow, column: string): string | null
  integer(row: SqlRow, column: string): number
  integerOrNull(row: SqlRow, column: string): number | null
  bytes(row: SqlRow, column: string): Uint8Array
  oneOf<Word extends string>(row: SqlRow, column: string, words: readonly Word[]): Word
  /** A JSON value. Its shape isn't checked: the journal guarantees that it is as it was written. */
  json<Value>(row: SqlRow, column: string): Value
}

export function columnsOf(table: string): Columns {
  function fail(row: SqlRow, column: string, expected: string): never {
    const name = row.id ?? row.scope ?? row.entry ?? ''
    const problem = `its column ${column} holds ${showValue(row[column])}, not ${expected}`
    throw new UnreadableRowError(table, String(name), problem)
  }
  function text(row: SqlRow, column: string): string {
    const value = row[column]
    return typeof value === 'string' ? value : fail(row, column, 'text')
  }
  function integer(row: SqlRow, column: string): number {
    const value = row[column]
    return typeof value === 'number' ? value : fail(row, column, 'a number')
  }
  return {
    text,
    textOrNull: (row, column) => (row[column] === null ? null : text(row, column)),
    integer,
    integerOrNull: (row, column) => (row[column] === null ? null : integer(row, column)),
    bytes(row, column) {
      const value = row[column]
      return value instanceof Uint8Array ? value : fail(row, column, 'bytes')
    },
    oneOf(row, column, words) {
      return words.find((word) => word === row[column]) ?? fail(row, column, `one of ${words.join(', ')}`)
    },
    json: (row, column) => JSON.parse(text(row, column)),
  }
}
