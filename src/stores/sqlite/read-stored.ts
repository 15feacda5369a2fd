import { UnreadableRowError } from '../records/rows/unreadable-row-error.ts'
import { isStorageError } from './database/index.ts'

/** Reads rows of the file. A failure is blamed on the row, unless it is a storage or lock error. */
export function readStored<Result>(table: string, row: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableRowError || isStorageError(error)) throw error
    throw new UnreadableRowError(table, row, error)
  }
}
