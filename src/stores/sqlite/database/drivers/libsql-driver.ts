import { createRequire } from 'node:module'
import type { Driver } from './driver.ts'
import { libsqlStatement } from './libsql-statement.ts'
import type { LibsqlDatabase } from './libsql-types.ts'

/** The package used if Node has no SQLite of its own; `null` if it isn't installed. */
export function loadLibsqlDriver(): Driver | null {
  const require = createRequire(import.meta.url)
  let Libsql: new (address: string) => LibsqlDatabase
  try {
    Libsql = require('libsql')
  } catch {
    return null
  }
  return {
    name: 'libsql',
    connect(address) {
      const database = new Libsql(address)
      return {
        exec: (sql) => database.exec(sql),
        prepare: (sql) => libsqlStatement(database, sql),
        close: () => database.close(),
      }
    },
  }
}
