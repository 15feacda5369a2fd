import { UnreadableRowError } from '../records/rows/unreadable-row-error.ts'
import { damagedLedger, replacedLedger, storeErrorFrom } from './database/index.ts'
import { WentBackError } from './went-back-error.ts'

/** Translates an error for the ledger in `file`. Errors about neither its rows nor storage pass unchanged. */
export function ledgerErrorFrom(error: unknown, file: string): unknown {
  if (error instanceof WentBackError)
    return replacedLedger(file, file, `overwritten with an older copy (${error.message})`)
  if (!(error instanceof UnreadableRowError)) return storeErrorFrom(error, file)
  const { table, row, message } = error
  return damagedLedger(file, `is damaged: row ${JSON.stringify(row)} of ${table} cannot be read (${message})`, error)
}
