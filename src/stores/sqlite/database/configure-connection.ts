import type { Connection } from './drivers/driver.ts'

// About 4 MB: checkpoints are short, and the log stays small.
const CHECKPOINT_PAGES = 1000
const LARGEST_IDLE_LOG_BYTES = 16 * 1024 * 1024

/** The settings that belong to a connection, not to the file. */
export function configureConnection(connection: Connection, { readOnly }: { readonly readOnly: boolean }): void {
  connection.exec(
    [
      'PRAGMA foreign_keys = ON',
      // A reservation must be durable before the call leaves.
      'PRAGMA synchronous = FULL',
      `PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
      `PRAGMA journal_size_limit = ${LARGEST_IDLE_LOG_BYTES}`,
      // A file from elsewhere can't bring functions along, and damaged cells are noticed when they are read.
      'PRAGMA trusted_schema = OFF',
      'PRAGMA cell_size_check = ON',
      `PRAGMA query_only = ${readOnly ? 'ON' : 'OFF'}`,
    ].join(';'),
  )
}
