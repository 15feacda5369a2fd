import { damagedLedger, readOnlyLedger } from './ledger-file-error.ts'
import { isBusyError, isCorruptError, isFullError, isReadOnlyError, isStorageError } from './sqlite-codes.ts'
import { StoreBusyError, StoreUnavailableError } from './store-errors.ts'

/** Says what an error of SQLite means for the ledger in `file`. One that is not about storage passes unchanged. */
export function storeErrorFrom(error: unknown, file: string): unknown {
  if (!isStorageError(error)) return error
  const text = error instanceof Error ? error.message : String(error)
  if (isBusyError(error)) return new StoreBusyError(`Another process keeps the ledger ${file} locked.`, error)
  if (isFullError(error)) return new StoreUnavailableError(`The disk with the ledger ${file} is full.`, error)
  if (isCorruptError(error)) return damagedLedger(file, `is damaged (${text})`, error)
  if (isReadOnlyError(error)) return readOnlyLedger(file, 'may only be read', error)
  return new StoreUnavailableError(`The ledger ${file} could not be read or written (${text}).`, error)
}
