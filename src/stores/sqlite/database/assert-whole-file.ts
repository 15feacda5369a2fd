import { statSync } from 'node:fs'
import type { Connection } from './driver.ts'
import { damagedLedger } from './ledger-file-error.ts'
import { readPragma } from './read-pragma.ts'
import { beginRead, rollBack } from './transactions.ts'

/**
 * Reads the schema under a lock, so that SQLite compares the size of the file with its header, and looks itself for a
 * last page that was cut in the middle, which SQLite takes for one that ends in zeros. Cheap, however large the file is.
 */
export function assertWholeFile(connection: Connection, file: string): void {
  beginRead(connection)
  try {
    connection.prepare('SELECT count(*) AS tables FROM sqlite_schema').get([])
    // While there is a log, pages that are in it may not have reached the file yet.
    if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return
    const wantedBytes = Number(readPragma(connection, 'page_count')) * Number(readPragma(connection, 'page_size'))
    const bytes = statSync(file).size
    if (bytes < wantedBytes) throw damagedLedger(file, `is cut off (${bytes} of ${wantedBytes} bytes)`)
  } finally {
    rollBack(connection)
  }
}
