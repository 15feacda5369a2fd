import type { DatabaseSync } from 'node:sqlite'
import type { SqlRow } from './database.ts'
import type { Connection, Driver } from './driver.ts'

/** The SQLite inside Node; `null` if this Node has none. */
export function loadNodeDriver(): Driver | null {
  // Loaded at run time: an import would fail on a Node without it.
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
        run: (parameters) => ({ changes: Number(statement.run(...parameters).changes) }),
        get: (parameters) => statement.get(...parameters) as SqlRow | undefined,
        all: (parameters) => statement.all(...parameters) as SqlRow[],
        iterate: (parameters) => statement.iterate(...parameters) as Iterable<SqlRow>,
      }
    },
    close: () => database.close(),
  }
}
