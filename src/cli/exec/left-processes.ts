import { createProcessTable, isMarked, RUN_VARIABLE } from '../../system/processes/index.ts'

/** The pids of commands of `stint exec` that go on though their `stint` was killed: nothing can keep that from happening. */
export function leftProcesses(runIds: readonly string[], table = createProcessTable()): readonly number[] {
  if (runIds.length === 0) return []
  return table.list().flatMap(({ pid }) => {
    const mark = table.variableOf(pid, RUN_VARIABLE)
    return mark !== null && runIds.some((id) => isMarked(mark, id)) ? [pid] : []
  })
}
