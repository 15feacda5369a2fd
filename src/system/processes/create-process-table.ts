import { createLinuxProcessTable } from './linux-process-table.ts'
import type { ProcessTable } from './process-table.ts'
import { createPsProcessTable } from './ps-process-table.ts'

// Windows has neither groups nor signals, so only the command itself is ended there.
const EMPTY_TABLE: ProcessTable = { list: () => [], look: () => null, variableOf: () => null }

/** The processes of this machine. */
export function createProcessTable(): ProcessTable {
  if (process.platform === 'linux') return createLinuxProcessTable()
  return process.platform === 'win32' ? EMPTY_TABLE : createPsProcessTable()
}
