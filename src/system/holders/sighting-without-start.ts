import type { ProcessSighting } from './processes.ts'

/** What is left to say of a process whose start cannot be read. */
export function sightingWithoutStart(pid: number, whenThere: ProcessSighting): ProcessSighting {
  return pidExists(pid) ? whenThere : { kind: 'gone' }
}

// Asks the system without signalling anybody. A process of another user is there too.
function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
