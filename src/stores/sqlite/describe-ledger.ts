import { statSync } from 'node:fs'
import { createSystemClock } from '../../system/index.ts'
import { createHighWater, type JournalMode, openDatabase } from './database/index.ts'
import { journalEnd } from './journal-end.ts'
import { ledgerIdOf } from './ledger-id.ts'
import { APPLICATION_ID, MIGRATIONS } from './schema.ts'
import { prepareStatements } from './statements.ts'

/** Facts about a ledger file that don't require adding it up. */
export interface LedgerDescription {
  readonly file: string
  readonly journalMode: JournalMode
  readonly sqliteVersion: string
  readonly sizeBytes: number
  /** How many journal entries were ever written. */
  readonly entries: number
  /**
   * The highest known number of entries; `null` if the high-water file is missing, damaged or belongs to another
   * ledger.
   */
  readonly highWater: number | null
}

/** Describes a ledger file. Changes nothing; throws if it can't be opened as a ledger. */
export function describeLedger(file: string): LedgerDescription {
  const database = openDatabase({ file, migrations: MIGRATIONS, applicationId: APPLICATION_ID, readOnly: true })
  try {
    const statements = prepareStatements(database)
    const ledgerId = ledgerIdOf(statements)
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
