import { columnsOf } from '../rows/columns-of.ts'
import type { Statements } from '../statements.ts'
import type { ReportProblem } from './ledger-problem.ts'

const SCOPES = columnsOf('scopes')

/** Events are numbered without gaps: as many are kept as were told since those that were pruned. */
export function compareHistory(statements: Statements, root: string, report: ReportProblem): void {
  const row = statements.countTold.get(root)
  if (row === undefined) return
  const told = SCOPES.integer(row, 'told') - SCOPES.integer(row, 'forgotten')
  const kept = SCOPES.integer(row, 'kept')
  if (kept === told) return
  report({ place: 'events', row: root, problem: `${kept} are kept, but ${told} were told since the last pruning` })
}
