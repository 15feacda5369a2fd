import type { ProcessTable } from './process-table.ts'
import { RUN_VARIABLE, runsOfMark } from './run-mark.ts'

// Nobody nests deeper.
const MOST_PARENTS = 64

/**
 * The runs that a process was started from, by its own environment and by that of its parents: a variable is soon taken
 * out of the environment of a child.
 */
export function enclosingRuns(
  env: Readonly<Record<string, string | undefined>>,
  table: ProcessTable,
  pid: number,
): ReadonlySet<string> {
  const runs = new Set(runsOfMark(env[RUN_VARIABLE] ?? null))
  let entry = table.look(pid)
  for (let parents = 0; entry !== null && parents < MOST_PARENTS; parents++) {
    for (const run of runsOfMark(table.variableOf(entry.pid, RUN_VARIABLE))) runs.add(run)
    entry = table.look(entry.parentPid)
  }
  return runs
}
