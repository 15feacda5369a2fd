export { StoreBusyError, StoreClosedError, StoreUnavailableError } from '../../records/store-errors.ts'
export { createGroupCommit } from './commits/create-group-commit.ts'
export { createLogSync, type LogSync } from './commits/create-log-sync.ts'
export { createOthersActive } from './commits/others-active.ts'
export type { Database, JournalMode, SqlRow, Statement } from './drivers/database.ts'
export { isBusyError, isStorageError } from './drivers/sqlite-codes.ts'
export { checkIntegrity } from './file/check-integrity.ts'
export { createHighWater, type HighWater, type HighWaterReading } from './file/high-water.ts'
export { highWaterFileOf } from './file/high-water-file.ts'
export {
  damagedLedger,
  type LedgerFileCode,
  LedgerFileError,
  ledgerLostTail,
  replacedLedger,
} from './file/ledger-file-error.ts'
export { openDatabase } from './open-database.ts'
export { storeErrorFrom } from './store-error-from.ts'
