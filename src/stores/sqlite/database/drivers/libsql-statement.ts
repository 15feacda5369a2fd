import { beginRead, beginWrite, rollBack } from '../commits/transactions.ts'
import type { SqlRow } from './database.ts'
import type { BoundValue, DriverStatement } from './driver.ts'
import type { LibsqlDatabase, LibsqlRow } from './libsql-types.ts'

/** A statement for the port. Parameters are passed as one list: a single `null` or blob would be taken for a list. */
export function libsqlStatement(database: LibsqlDatabase, sql: string): DriverStatement {
  const statement = database.prepare(sql)
  const begin = statement.reader && !WRITES.test(sql) ? beginRead : beginWrite
  const all = (parameters: readonly BoundValue[]): readonly SqlRow[] =>
    withLock(database, begin, () => statement.all(parameters)).map(rowFrom)
  return {
    run(parameters) {
      if (statement.reader) throw new TypeError(`The statement returns rows, so run it with get or all: ${sql}`)
      return { changes: withLock(database, begin, () => statement.run(parameters)).changes }
    },
    get(parameters) {
      const row = withLock(database, begin, () => statement.get(parameters))
      return row === undefined ? undefined : rowFrom(row)
    },
    all,
    iterate: all,
  }
}

const WRITES = /\b(INSERT|UPDATE|DELETE|REPLACE)\b/i

/**
 * A prepared statement of this package must never find the file locked. It would stay half done, SQLite would keep the
 * read lock of every later statement, and no other process could commit again. So the lock is taken first, by `exec`,
 * which cleans up after itself.
 */
function withLock<T>(database: LibsqlDatabase, begin: (database: LibsqlDatabase) => void, execute: () => T): T {
  if (database.inTransaction) return execute()
  begin(database)
  try {
    const result = execute()
    database.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function rowFrom(row: LibsqlRow): SqlRow {
  delete row._metadata
  for (const column of Object.keys(row)) {
    const value = row[column]
    if (value instanceof ArrayBuffer) row[column] = new Uint8Array(value)
    // It rounds values that are too large for a number.
    else if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      throw new RangeError(`The column ${column} holds ${value}, which is too large to read exactly.`)
    }
  }
  return row as SqlRow
}
