import { ancestorsOf } from './ancestors-of.ts'
import type { ProcessTable } from './process-table.ts'
import { RUN_VARIABLE, runsOfMark } from './run-mark.ts'

/**
 * The runs that a process was started in, by its own environment and those of its ancestors, since a variable is easily
 * removed from a child's environment.
 */
export function enclosingRuns(
  env: Readonly<Record<string, string | undefined>>,
  table: ProcessTable,
  pid: number,
): ReadonlySet<string> {
  const runs = new Set(runsOfMark(env[RUN_VARIABLE] ?? null))
  for (const entry of ancestorsOf(table, pid)) {
    for (const run of runsOfMark(table.variableOf(entry.pid, RUN_VARIABLE))) runs.add(run)
  }
  return runs
}
