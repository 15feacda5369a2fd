import { columnsOf } from '../rows/columns-of.ts'
import type { SqlRow } from '../rows/sql-row.ts'

const SCOPES = columnsOf('scopes')

/**
 * Scopes that ended long ago, with everything below them and every call. The root stays: its totals are stored nowhere
 * else. So do budgets, which the sums of pruned calls refer to. `scopes` has the latest opened first: children before
 * their parents.
 */
export function prunableScopes(
  scopes: readonly SqlRow[],
  unfinishedCalls: readonly SqlRow[],
  beforeMs: number,
): readonly string[] {
  const busy = new Set(unfinishedCalls.map((row) => SCOPES.text(row, 'scope')))
  const prunable: string[] = []
  for (const row of scopes) {
    const id = SCOPES.text(row, 'id')
    const parent = SCOPES.textOrNull(row, 'parent')
    const isOld =
      row.is_ended === 1 && SCOPES.integer(row, 'closed_at') < beforeMs && parent !== null && row.kind !== 'lasting'
    if (isOld && !busy.has(id)) prunable.push(id)
    else if (parent !== null) busy.add(parent)
  }
  return prunable
}
