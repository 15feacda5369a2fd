import { expect, it } from 'vitest'
import { enclosingRuns } from './enclosing-runs.ts'
import type { ProcessTable } from './process-table.ts'

/** Each with its parent and its mark. */
function tableOf(processes: Readonly<Record<number, readonly [parentPid: number, mark: string | null]>>): ProcessTable {
  const look: ProcessTable['look'] = (pid) => {
    const found = processes[pid]
    return found === undefined ? null : { pid, parentPid: found[0], groupId: pid, sessionId: pid, start: 's' }
  }
  return { list: () => [], look, variableOf: (pid) => processes[pid]?.[1] ?? null }
}

it('lists the runs named by a process’s own environment and those of its ancestors', () => {
  const table = tableOf({ 9: [8, null], 8: [7, 'a,a.1'], 7: [1, null] })
  expect([...enclosingRuns({ STINT_RUN: 'b' }, table, 9)]).toEqual(['b', 'a', 'a.1'])
  expect([...enclosingRuns({}, tableOf({ 9: [1, null] }), 9)]).toEqual([])
})

it('terminates if the parents form a cycle', () => {
  expect([...enclosingRuns({}, tableOf({ 8: [9, 'a'], 9: [8, null] }), 9)]).toEqual(['a'])
})
