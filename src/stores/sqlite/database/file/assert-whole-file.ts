import { statSync } from 'node:fs'
import { beginRead, rollBack } from '../commits/transactions.ts'
import type { Connection } from '../drivers/driver.ts'
import { readPragma } from '../read-pragma.ts'
import { damagedLedger } from './ledger-file-error.ts'

/**
 * Reads the schema under a lock, so that SQLite compares the size of the file with its header. Also looks for a
 * truncated last page, which SQLite would read as ending in zeros. Cheap for files of any size.
 */
export function assertWholeFile(connection: Connection, file: string): void {
  beginRead(connection)
  try {
    connection.prepare('SELECT count(*) AS tables FROM sqlite_schema').get([])
    // While there is a log, its pages may not have reached the file yet.
    if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return
    const wantedBytes = Number(readPragma(connection, 'page_count')) * Number(readPragma(connection, 'page_size'))
    const bytes = statSync(file).size
    if (bytes < wantedBytes) throw damagedLedger(file, `is truncated (${bytes} of ${wantedBytes} bytes)`)
  } finally {
    rollBack(connection)
  }
}
