import { messageOf } from '../../../core/checks/thrown.ts'
import { isStorageError } from '../database/drivers/sqlite-codes.ts'

/** A row that can't be what was written. */
export class UnreadableRowError extends Error {
  readonly table: string
  readonly row: string

  constructor(table: string, row: string, cause: unknown) {
    super(messageOf(cause), { cause })
    this.table = table
    this.row = row
  }
}

/** Reads a row. A failure is blamed on the row, unless it is a storage or lock error. */
export function readRow<Result>(table: string, row: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableRowError || isStorageError(error)) throw error
    throw new UnreadableRowError(table, row, error)
  }
}
