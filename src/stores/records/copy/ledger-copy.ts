import type { SqlRow } from '../rows/sql-row.ts'

/** A table with its rows, as one store passes them to another. */
export interface CopiedTable {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: Iterable<SqlRow>
}

/** A whole ledger, unchanged while it is copied. */
export interface LedgerCopy {
  /** How many entries its journal has. */
  readonly entries: number
  /** In an order in which they can be written. */
  readonly tables: readonly CopiedTable[]
}
