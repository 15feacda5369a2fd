import { statSync } from 'node:fs'
import { createSystemClock } from '../../system/index.ts'
import { createHighWater, type JournalMode, openDatabase } from './database/index.ts'
import { journalEnd } from './journal.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { prepareStatements } from './statements.ts'

/** What can be said of a ledger's file without adding it up. */
export interface LedgerDescription {
  readonly file: string
  readonly journalMode: JournalMode
  readonly sqliteVersion: string
  readonly sizeBytes: number
  /** How many journal entries were ever written. */
  readonly entries: number
  /** How many there are known to have been; `null` where the file that says so is missing, damaged or another's. */
  readonly highWater: number | null
}

/** Looks at a ledger's file. Changes nothing; throws where it cannot be opened as a ledger. */
export function describeLedger(file: string): LedgerDescription {
  const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID, readOnly: true })
  try {
    const statements = prepareStatements(database)
    const ledgerId = statements.ledger.get()!.id as string
    const mark = createHighWater(database.file, { ledgerId, clock: createSystemClock() }).read()
    return {
      file: database.file,
      journalMode: database.journalMode,
      sqliteVersion: database.sqliteVersion,
      sizeBytes: statSync(database.file).size,
      entries: journalEnd(statements),
      highWater: mark?.kind === 'read' && mark.ledgerId === ledgerId ? mark.entries : null,
    }
  } finally {
    database.close()
  }
}
