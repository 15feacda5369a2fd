import { rollBack } from './commits/transactions.ts'
import type { Connection } from './drivers/driver.ts'
import { newerLedger } from './file/ledger-file-error.ts'
import { readPragma } from './read-pragma.ts'

/** How many migrations a file has had. Throws `ledger_newer` if it is more than there are. */
export function schemaVersionOf(connection: Connection, file: string, newest: number): number {
  const version = Number(readPragma(connection, 'user_version'))
  if (version <= newest) return version
  throw newerLedger(file, version, newest)
}

/** Brings the schema up to date in one transaction. Skips what another process did in the meantime. */
export function migrate(connection: Connection, file: string, migrations: readonly string[]): void {
  if (schemaVersionOf(connection, file, migrations.length) === migrations.length) return
  connection.exec('BEGIN EXCLUSIVE')
  try {
    const version = schemaVersionOf(connection, file, migrations.length)
    for (const migration of migrations.slice(version)) connection.exec(migration)
    connection.exec(`PRAGMA user_version = ${migrations.length}`)
    connection.exec('COMMIT')
  } catch (error) {
    rollBack(connection)
    throw error
  }
}
