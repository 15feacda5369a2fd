import type { KeyRecord } from '../../core/index.ts'
import type { SqlRow } from './database/index.ts'
import type { ReportProblem } from './ledger-problem.ts'
import type { Statements } from './statements.ts'
import { rowFromKey } from './stored-key.ts'

/**
 * Compares the keys of a root's tree with what its journal says of them: a key that was planted, moved to another
 * scope or made good again opens a budget that nobody gave it. What is stored of them is not shown.
 */
export function compareKeys(
  statements: Statements,
  root: string,
  expected: ReadonlyMap<string, KeyRecord>,
  report: ReportProblem,
): void {
  const stored = new Map(statements.keysOfRoot.all(root).map((row) => [row.id as string, row]))
  for (const [id, row] of stored) {
    const wanted = expected.get(id)
    if (wanted === undefined) report({ place: 'keys', row: id, problem: 'is in no journal' })
    else if (!isSame(row, wanted)) report({ place: 'keys', row: id, problem: 'is not what its journal says' })
  }
  for (const { id, revokedAtMs } of expected.values()) {
    // Revoked ones may have been pruned.
    if (revokedAtMs !== null || stored.has(id)) continue
    report({ place: 'keys', row: id, problem: 'is missing: its journal has it' })
  }
}

function isSame({ id, scope, hash, created_at, revoked_at, body }: SqlRow, wanted: KeyRecord): boolean {
  const columns = [id, scope, hash, created_at, revoked_at, body]
  return rowFromKey(wanted).every((value, column) => value === columns[column])
}
