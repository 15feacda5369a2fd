import type { Connection } from './driver.ts'

/** The first SQLite whose write-ahead log can't be reset under a writer, which lost pages in rare cases. */
export const FIRST_SOUND_WAL = '3.51.3'

/** The version of the library behind a connection, e.g. `3.53.4`. */
export function sqliteVersionOf(connection: Connection): string {
  return String(connection.prepare('SELECT sqlite_version() AS version').get([])?.version)
}

/** Whether this version can be trusted with a write-ahead log. */
export function hasSoundWal(version: string): boolean {
  const wanted = FIRST_SOUND_WAL.split('.').map(Number)
  const found = version.split('.').map(Number)
  const differing = wanted.findIndex((part, index) => part !== found[index])
  return differing === -1 || (found[differing] ?? 0) > (wanted[differing] ?? 0)
}
