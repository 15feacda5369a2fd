import type { SqlRow } from '../../records/rows/sql-row.ts'
import type { Query } from '../database/query.ts'

/** Rows that an operation looks at. */
export interface Need {
  /** The same for the same rows. */
  readonly key: string
  /** Not one row by its id: the answer depends on what was written before in the same transaction. */
  readonly isList: boolean
  readonly queries: readonly Query[]
  /** The scopes that what is found refers to, which are looked at next. */
  scopesIn?(results: readonly (readonly SqlRow[])[]): readonly string[]
  /** Hands the rows of each query on, by key. */
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

/** The need in an error, which may have been blamed on a row meanwhile; `null` if it is about something else. */
export function needIn(error: unknown): Need | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof RowsNotLoaded) return each.need
  }
  return null
}
