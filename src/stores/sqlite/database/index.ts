export { checkIntegrity } from './check-integrity.ts'
export { createGroupCommit } from './create-group-commit.ts'
export { createLogSync, type LogSync } from './create-log-sync.ts'
export type { Database, JournalMode, SqlRow, SqlValue, Statement } from './database.ts'
export { createHighWater, type HighWater, type HighWaterReading } from './high-water.ts'
export { highWaterFileOf } from './high-water-file.ts'
export {
  damagedLedger,
  type LedgerFileCode,
  LedgerFileError,
  ledgerLostTail,
  replacedLedger,
} from './ledger-file-error.ts'
export { openDatabase } from './open-database.ts'
export { createOthersActive } from './others-active.ts'
export { isBusyError } from './sqlite-codes.ts'
export { storeErrorFrom } from './store-error-from.ts'
export { StoreBusyError, StoreClosedError, StoreUnavailableError } from './store-errors.ts'
