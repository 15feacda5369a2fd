import { messageOf } from '../../../core/checks/thrown.ts'

/** A row that differs from what can have been written. */
export class UnreadableRowError extends Error {
  readonly table: string
  readonly row: string

  constructor(table: string, row: string, cause: unknown) {
    super(messageOf(cause), { cause })
    this.table = table
    this.row = row
  }
}

/** Converts a row. A failure is reported as an error of the row. */
export function readRow<Result>(table: string, row: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableRowError) throw error
    throw new UnreadableRowError(table, row, error)
  }
}
