import { randomBytes } from 'node:crypto'
import { formatHolder } from './holder.ts'
import type { Processes } from './processes.ts'
import { systemProcesses } from './system-processes.ts'

const starts = new Map<Processes, string>()

/** This process as a holder. Each call returns a new text, one per governor; all of them die with the process. */
export function describeHolder(processes: Processes = systemProcesses()): string {
  const { host, pidNamespace, boot } = processes
  const nonce = randomBytes(6).toString('hex')
  return formatHolder({ host, pidNamespace, boot, pid: process.pid, start: ownStart(processes), nonce })
}

function ownStart(processes: Processes): string {
  const found = starts.get(processes)
  if (found !== undefined) return found
  const sighting = processes.look(process.pid)
  const start = sighting.kind === 'running' ? sighting.start : ''
  starts.set(processes, start)
  return start
}
