export { ancestorsOf } from './ancestors-of.ts'
export { createProcessTable } from './create-process-table.ts'
export { enclosingRuns } from './enclosing-runs.ts'
export { isMarked, markRun, RUN_VARIABLE } from './run-mark.ts'
