import type { Connection } from './driver.ts'
import { LedgerFileError } from './ledger-file-error.ts'
import { readPragma } from './read-pragma.ts'
import { rollBack } from './transactions.ts'

/** How many of the migrations a file has seen. Throws `ledger_newer` for one that has seen more than there are. */
export function schemaVersionOf(connection: Connection, file: string, newest: number): number {
  const version = Number(readPragma(connection, 'user_version'))
  if (version <= newest) return version
  throw new LedgerFileError(
    'ledger_newer',
    file,
    `has the schema ${version} of a newer Stint, and this one knows the schemas up to ${newest}`,
    'Update Stint, or name another ledger.',
  )
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
