import { parseHolder } from './holder.ts'
import type { Processes } from './processes.ts'
import { systemProcesses } from './system-processes.ts'

/**
 * Whether the process behind a holder still runs; `null` where that cannot be known from here: another machine or
 * container, or no text of ours. `false` is certain: what it left open is charged because of it.
 */
export function isHolderAlive(text: string, processes: Processes = systemProcesses()): boolean | null {
  const holder = parseHolder(text)
  if (holder === null) return null
  // The same boot is the same machine, whatever its name has become since. Another boot of this host ended them all.
  const isSameBoot = holder.boot !== '' && holder.boot === processes.boot
  if (!isSameBoot && holder.host !== processes.host) return null
  if (!isSameBoot && holder.boot !== '' && processes.boot !== '') return false
  if (holder.pidNamespace !== processes.pidNamespace) return null

  const sighting = processes.look(holder.pid)
  if (sighting.kind === 'hidden') return null
  if (sighting.kind === 'gone') return false
  return holder.start === '' || sighting.start === '' || holder.start === sighting.start
}
