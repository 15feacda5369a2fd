import type { Statements } from './statements.ts'
import { UnreadableRowError } from './unreadable-row-error.ts'

/** Which ledger this is, whatever its file is called. */
export function ledgerIdOf(statements: Statements): string {
  const row = statements.ledger.get()
  if (row === undefined) throw new UnreadableRowError('ledger', '1', 'it is missing')
  return row.id as string
}
