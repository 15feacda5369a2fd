import { createLinuxProcesses } from './linux-processes.ts'
import { createOtherProcesses } from './other-processes.ts'
import type { Processes } from './processes.ts'

let known: Processes | null = null

/** The processes of this machine. Constants are read once. */
export function systemProcesses(): Processes {
  known ??= process.platform === 'linux' ? createLinuxProcesses() : createOtherProcesses()
  return known
}
