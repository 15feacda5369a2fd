import type { KeyRecord } from '../../../core/index.ts'
import { columnsOf } from '../rows/columns-of.ts'
import type { SqlRow } from '../rows/sql-row.ts'
import { rowFromKey } from '../tables/stored-keys.ts'
import type { ReportProblem } from './ledger-problem.ts'

/**
 * Compares the keys of a root's tree with its journal: a key that was planted, moved to another scope or reinstated
 * opens a budget without permission. Stored values aren't shown.
 */
export function compareKeys(
  rows: readonly SqlRow[],
  expected: ReadonlyMap<string, KeyRecord>,
  report: ReportProblem,
): void {
  const stored = new Map(rows.map((row) => [columnsOf('keys').text(row, 'id'), row]))
  for (const [id, row] of stored) {
    const wanted = expected.get(id)
    if (wanted === undefined) report({ place: 'keys', row: id, problem: 'is in no journal' })
    else if (!isSame(row, wanted)) report({ place: 'keys', row: id, problem: 'is not what its journal says' })
  }
  for (const { id, revokedAtMs } of expected.values()) {
    // Revoked keys may have been pruned.
    if (revokedAtMs !== null || stored.has(id)) continue
    report({ place: 'keys', row: id, problem: 'is missing, but its journal has it' })
  }
}

function isSame({ id, scope, hash, created_at, revoked_at, body }: SqlRow, wanted: KeyRecord): boolean {
  const columns = [id, scope, hash, created_at, revoked_at, body]
  return rowFromKey(wanted).every((value, column) => value === columns[column])
}
