import { isStorageError } from './database/sqlite-codes.ts'

/** A row that cannot be what was written. */
export class UnreadableRowError extends Error {
  readonly table: string
  readonly row: string

  constructor(table: string, row: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.table = table
    this.row = row
  }
}

/** Makes something of a row. Whatever goes wrong is the fault of the row, unless it is that of the disk or of others. */
export function readRow<Result>(table: string, row: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableRowError || isStorageError(error)) throw error
    throw new UnreadableRowError(table, row, error)
  }
}
