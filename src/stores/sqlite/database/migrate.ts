import type { Connection } from './driver.ts'
import { newerLedger } from './ledger-file-error.ts'
import { readPragma } from './read-pragma.ts'
import { rollBack } from './transactions.ts'

/** How many of the migrations a file has seen. Throws `ledger_newer` for one that has seen more than there are. */
export function schemaVersionOf(connection: Connection, file: string, newest: number): number {
  const version = Number(readPragma(connection, 'user_version'))
  if (version <= newest) return version
  throw newerLedger(file, version, newest)
}

/** Brings the schema up to date, all in one transaction. What another process did meanwhile is not done again. */
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
