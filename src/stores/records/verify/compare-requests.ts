import type { IncreaseRecord } from '../../../core/index.ts'
import { columnsOf } from '../rows/columns-of.ts'
import type { SqlRow } from '../rows/sql-row.ts'
import type { ReportProblem } from './ledger-problem.ts'

/** Compares the requests for more of a root's tree with its journal. */
export function compareRequests(
  rows: readonly SqlRow[],
  expected: ReadonlyMap<string, IncreaseRecord>,
  report: ReportProblem,
): void {
  const stored = new Map(rows.map((row) => [columnsOf('requests').text(row, 'id'), row]))
  for (const [id, { status, body }] of stored) {
    const wanted = expected.get(id)
    if (wanted === undefined) report({ place: 'requests', row: id, problem: 'is in no journal' })
    else if (status !== wanted.status || body !== JSON.stringify(wanted)) {
      report({ place: 'requests', row: id, problem: `is ${status}, but its journal says ${wanted.status}` })
    }
  }
  for (const { id, status } of expected.values()) {
    if (status === 'open' && !stored.has(id)) {
      report({ place: 'requests', row: id, problem: 'is missing, but its journal has it' })
    }
  }
}
