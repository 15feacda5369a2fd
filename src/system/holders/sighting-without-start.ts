import { codeOf } from '../../core/checks/thrown.ts'
import type { ProcessSighting } from './processes.ts'

/** What can be said of a process whose start time cannot be read. */
export function sightingWithoutStart(pid: number, whenThere: ProcessSighting): ProcessSighting {
  return pidExists(pid) ? whenThere : { kind: 'gone' }
}

// Signal 0 only checks. For another user's process it fails with another code.
function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}
