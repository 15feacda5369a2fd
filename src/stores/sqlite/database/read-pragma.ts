import type { SqlValue } from './database.ts'
import type { Connection } from './driver.ts'

/** The one value of a setting. */
export function readPragma(connection: Connection, name: string): SqlValue {
  const row = connection.prepare(`PRAGMA ${name}`).get([])
  return row === undefined ? null : (Object.values(row)[0] ?? null)
}
