import { type ScopeReading, StintError } from '../../core/index.ts'
import { refuseServerScope } from '../keys/server-scope.ts'
import type { Operator } from '../operator.ts'

/** Stops admitting calls in a scope and below it. */
export async function pauseScope({ store, by, nowMs }: Operator, { id, path }: ScopeReading, reason: string) {
  refuseServerScope(id)
  const outcome = await store.pause({ scopeId: id, reason, by, atMs: nowMs() })
  if (outcome.kind === 'closed') throw new StintError('scope_closed', `"${path}" has ended: there is nothing to pause.`)
  return { id, path, status: 'paused', isNew: outcome.kind === 'paused', pause: outcome.pause } as const
}
