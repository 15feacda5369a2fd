import type { ProcessEntry, ProcessTable } from './process-table.ts'

// Deeper than any real nesting.
const MOST_PARENTS = 64

/** A process and its ancestors, nearest first. */
export function ancestorsOf(table: ProcessTable, pid: number): readonly ProcessEntry[] {
  const found: ProcessEntry[] = []
  let entry = table.look(pid)
  while (entry !== null && found.length < MOST_PARENTS) {
    found.push(entry)
    entry = table.look(entry.parentPid)
  }
  return found
}
