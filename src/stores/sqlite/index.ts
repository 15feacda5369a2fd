export type { CopiedTable, LedgerCopy } from '../records/copy/ledger-copy.ts'
export type { SqlRow, SqlValue } from '../records/rows/sql-row.ts'
export type { LedgerProblem } from '../records/verify/ledger-problem.ts'
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
export { readCopy } from './read-copy.ts'
export { type VerifyReport, verifyLedger } from './verify/verify-ledger.ts'
