import type { ScopeReading, Status } from '../../core/index.ts'
import { printable } from '../../core/printable.ts'
import { parseHolder } from '../../system/holders/holder.ts'
import type { Paint } from './paint.ts'

/** A status, in the colour of its news. */
export function statusText(status: Status, paint: Paint): string {
  if (status === 'running' || status === 'completed') return paint.green(status)
  if (status === 'paused' || status === 'queued' || status === 'detached') return paint.yellow(status)
  return paint.red(status)
}

/** Whether somebody runs a scope: nobody has to run a budget. */
export function ownerText(scope: ScopeReading, isAlive: boolean | null, paint: Paint): string {
  if (scope.owner === null) return '–'
  if (scope.closedAtMs !== null) return 'ended'
  // Who pauses has mostly ended its process with it: that is as it should be.
  if (scope.isOrphaned || isAlive === false) return scope.status === 'paused' ? 'gone' : paint.red('dead')
  return isAlive === null ? 'unknown' : 'alive'
}

/** The same with which process that is: `alive (pid 4711 on build-3)`. */
export function ownerDetails(scope: ScopeReading, isAlive: boolean | null, paint: Paint): string {
  const text = ownerText(scope, isAlive, paint)
  if (scope.owner === null) return text
  return `${text} (${holderText(scope.owner)})`
}

/** A process as people know it: `pid 4711 on build-3`. */
export function holderText(text: string): string {
  const holder = parseHolder(text)
  return printable(holder === null ? text : `pid ${holder.pid} on ${holder.host}`)
}
