import { columnsOf } from '../records/rows/columns-of.ts'
import { UnreadableRowError } from '../records/rows/unreadable-row-error.ts'
import type { Statements } from './statements.ts'

/** Identifies the ledger, whatever its file is called. */
export function ledgerIdOf(statements: Statements): string {
  const row = statements.ledger.get()
  if (row === undefined) throw new UnreadableRowError('ledger', '1', 'it is missing')
  return columnsOf('ledger').text(row, 'id')
}
