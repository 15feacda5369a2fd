import { columnsOf } from './rows/columns-of.ts'
import type { Statements } from './statements.ts'
import { UnreadableRowError } from './verify/unreadable-row-error.ts'

/** Identifies the ledger, whatever its file is called. */
export function ledgerIdOf(statements: Statements): string {
  const row = statements.ledger.get()
  if (row === undefined) throw new UnreadableRowError('ledger', '1', 'it is missing')
  return columnsOf('ledger').text(row, 'id')
}
