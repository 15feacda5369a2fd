import type { SqlValue } from './drivers/database.ts'
import type { Connection } from './drivers/driver.ts'

/** The value of a pragma. */
export function readPragma(connection: Connection, name: string): SqlValue {
  const row = connection.prepare(`PRAGMA ${name}`).get([])
  return row === undefined ? null : (Object.values(row)[0] ?? null)
}
