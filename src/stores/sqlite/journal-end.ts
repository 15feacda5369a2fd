import { columnsOf } from '../records/rows/columns-of.ts'
import type { SqlRow } from '../records/rows/sql-row.ts'
import type { Statements } from './statements.ts'

/** The number of the last entry. */
export function journalEnd(statements: Statements): number {
  return entryIn(statements.journalEnd.get())
}

/** How many entries were ever appended, by SQLite's own count. Never less than the number of the last. */
export function entriesAppended(statements: Statements): number {
  return entryIn(statements.journalAppended.get())
}

function entryIn(row: SqlRow | undefined): number {
  return row === undefined ? 0 : (columnsOf('journal').integerOrNull(row, 'entry') ?? 0)
}
