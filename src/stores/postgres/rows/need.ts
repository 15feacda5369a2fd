import type { SqlRow } from '../../records/rows/sql-row.ts'
import type { Query } from '../database/query.ts'

/** Rows that an operation reads. */
export interface Need {
  /** The same for the same rows. */
  readonly key: string
  /** A list instead of one row by id: it depends on what the same transaction has written before. */
  readonly isList: boolean
  readonly queries: readonly Query[]
  /** The scopes that these rows refer to, which are read next. */
  scopesIn?(results: readonly (readonly SqlRow[])[]): readonly string[]
  /** Passes on the rows of each query, by key. */
  take(results: readonly (readonly SqlRow[])[], give: (key: string, rows: unknown) => void): void
}

/** Rows are needed that were not loaded. The operation is run again once they are. */
export class RowsNotLoaded extends Error {
  readonly need: Need

  constructor(need: Need) {
    super(`${need.key} was not loaded`)
    this.need = need
  }
}

/** The need in an error, which may be wrapped in an error about a row; `null` for any other error. */
export function needIn(error: unknown): Need | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof RowsNotLoaded) return each.need
  }
  return null
}
