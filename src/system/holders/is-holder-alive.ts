import { parseHolder } from './holder.ts'
import type { Processes } from './processes.ts'
import { systemProcesses } from './system-processes.ts'

/**
 * Whether a holder's process is still running; `null` if that cannot be known from here: another machine or container,
 * or not one of our texts. `false` is certain: it causes open calls to be charged.
 */
export function isHolderAlive(text: string, processes: Processes = systemProcesses()): boolean | null {
  const holder = parseHolder(text)
  if (holder === null) return null
  // The same boot is the same machine, even if it was renamed. A reboot of this host has ended them all.
  const isSameBoot = holder.boot !== '' && holder.boot === processes.boot
  if (!isSameBoot && holder.host !== processes.host) return null
  if (!isSameBoot && holder.boot !== '' && processes.boot !== '') return false
  if (holder.pidNamespace !== processes.pidNamespace) return null

  const sighting = processes.look(holder.pid)
  if (sighting.kind === 'hidden') return null
  if (sighting.kind === 'gone') return false
  return holder.start === '' || sighting.start === '' || holder.start === sighting.start
}
