import type { SqlValue } from '../../records/rows/sql-row.ts'

/** One statement with its parameters. */
export interface Query {
  readonly text: string
  readonly values: readonly SqlValue[]
}
