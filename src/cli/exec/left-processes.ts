import { createProcessTable, isMarked, RUN_VARIABLE } from '../../system/processes/index.ts'

/** The pids of commands of `stint exec` that still run although their `stint` was killed, which nothing can prevent. */
export function leftProcesses(runIds: readonly string[], table = createProcessTable()): readonly number[] {
  if (runIds.length === 0) return []
  return table.list().flatMap(({ pid }) => {
    const mark = table.variableOf(pid, RUN_VARIABLE)
    return mark !== null && runIds.some((id) => isMarked(mark, id)) ? [pid] : []
  })
}
