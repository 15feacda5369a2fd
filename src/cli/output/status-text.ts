import { printable } from '../../core/checks/printable.ts'
import type { Status } from '../../core/index.ts'
import type { ScopeDetails } from '../../operate/scopes/scope-details.ts'
import { parseHolder } from '../../system/holders/holder.ts'
import type { Paint } from './paint.ts'

/** A status in its colour. */
export function statusText(
  { status, isStale = false }: { readonly status: Status; readonly isStale?: boolean },
  paint: Paint,
): string {
  if (isStale) return paint.red('stale')
  if (status === 'running' || status === 'completed') return paint.green(status)
  if (status === 'paused' || status === 'queued' || status === 'detached') return paint.yellow(status)
  return paint.red(status)
}

/** Whether a scope's process is alive. A budget has none. */
export function ownerText({ owner, closedAtMs, status, isOwnerAlive }: ScopeDetails, paint: Paint): string {
  if (owner === null) return '–'
  if (closedAtMs !== null) return 'ended'
  if (isOwnerAlive !== false) return isOwnerAlive === null ? 'unknown' : 'alive'
  // Most processes end with a pause, so that is fine.
  return status === 'paused' ? 'gone' : paint.red('dead')
}

/** The same with the process: `alive (pid 4711 on build-3)`. */
export function ownerDetails(scope: ScopeDetails, paint: Paint): string {
  const text = ownerText(scope, paint)
  if (scope.owner === null) return text
  return `${text} (${holderText(scope.owner)})`
}

/** A process for humans: `pid 4711 on build-3`. */
export function holderText(text: string): string {
  const holder = parseHolder(text)
  return printable(holder === null ? text : `pid ${holder.pid} on ${holder.host}`)
}
