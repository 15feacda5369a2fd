import { messageOf } from '../../../core/checks/thrown.ts'
import { StoreBusyError, StoreUnavailableError } from '../../records/store-errors.ts'
import { isBusyError, isCorruptError, isFullError, isReadOnlyError, isStorageError } from './drivers/sqlite-codes.ts'
import { damagedLedger, readOnlyLedger } from './file/ledger-file-error.ts'

/** Translates a SQLite error for the ledger in `file`. Errors that aren't about storage pass unchanged. */
export function storeErrorFrom(error: unknown, file: string): unknown {
  if (!isStorageError(error)) return error
  const text = messageOf(error)
  if (isBusyError(error)) return new StoreBusyError(`Another process keeps the ledger ${file} locked.`, error)
  if (isFullError(error)) return new StoreUnavailableError(`The disk with the ledger ${file} is full.`, error)
  if (isCorruptError(error)) return damagedLedger(file, `is damaged (${text})`, error)
  if (isReadOnlyError(error)) return readOnlyLedger(file, 'is read-only', error)
  return new StoreUnavailableError(`The ledger ${file} could not be read or written (${text}).`, error)
}
