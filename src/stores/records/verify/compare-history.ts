import { columnsOf } from '../rows/columns-of.ts'
import type { SqlRow } from '../rows/sql-row.ts'
import type { ReportProblem } from './ledger-problem.ts'

const SCOPES = columnsOf('scopes')

/** Events are numbered without gaps: as many are kept as were recorded since the last pruning. */
export function compareHistory(root: string, row: SqlRow | undefined, report: ReportProblem): void {
  if (row === undefined) return
  const told = SCOPES.integer(row, 'told') - SCOPES.integer(row, 'forgotten')
  const kept = SCOPES.integer(row, 'kept')
  if (kept === told) return
  report({
    place: 'events',
    row: root,
    problem: `${kept} are stored, but ${told} were recorded since the last pruning`,
  })
}
