import type { ScopeReading } from '../../core/index.ts'
import { countText } from '../../operate/count-text.ts'
import { type Finding, problem } from '../../operate/health/finding.ts'
import { createProcessTable } from '../../system/processes/index.ts'
import { leftProcesses } from '../exec/left-processes.ts'

const MOST_NAMED = 10

/** Commands of `stint exec` that still run although their `stint` was killed. */
export function checkLeftCommands(orphans: readonly ScopeReading[], table = createProcessTable()): readonly Finding[] {
  const left = leftProcesses(
    orphans.map(({ id }) => id),
    table,
  )
  if (left.length === 0) return []
  const named = left.slice(0, MOST_NAMED).join(', ')
  const detail = `${countText(left.length, 'process', 'processes')} of runs whose stint is dead: pid ${named}`
  return [
    problem(
      'commands',
      detail,
      `Their calls no longer go anywhere. End them: kill ${left.slice(0, MOST_NAMED).join(' ')}`,
    ),
  ]
}
