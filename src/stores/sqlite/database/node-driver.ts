import type { DatabaseSync } from 'node:sqlite'
import type { SqlRow } from './database.ts'
import type { BoundValue, Connection, Driver } from './driver.ts'

/** The SQLite inside Node; `null` where this Node has none. */
export function loadNodeDriver(): Driver | null {
  // Asked for by name: an import would fail on a Node without it.
  const sqlite = process.getBuiltinModule('node:sqlite')
  if (sqlite === undefined) return null
  return { name: 'node:sqlite', connect: (address) => connectionFrom(new sqlite.DatabaseSync(address)) }
}

function connectionFrom(database: DatabaseSync): Connection {
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        run: (parameters) => ({ changes: Number(statement.run(...mutable(parameters)).changes) }),
        get: (parameters) => statement.get(...mutable(parameters)) as SqlRow | undefined,
        all: (parameters) => statement.all(...mutable(parameters)) as SqlRow[],
      }
    },
    close: () => database.close(),
  }
}

// Its types want to own the list; it only reads it.
const mutable = (parameters: readonly BoundValue[]) => parameters as BoundValue[]
