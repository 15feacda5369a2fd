export { createSqliteStore, type SqliteStoreOptions } from './create-sqlite-store.ts'
export {
  type JournalMode,
  type LedgerFileCode,
  LedgerFileError,
  StoreBusyError,
  StoreClosedError,
  StoreUnavailableError,
} from './database/index.ts'
export { describeLedger, type LedgerDescription } from './describe-ledger.ts'
export { type PruneOptions, type PruneReport, pruneLedger } from './prune-ledger.ts'
export type { LedgerProblem } from './verify/ledger-problem.ts'
export { type VerifyReport, verifyLedger } from './verify/verify-ledger.ts'
