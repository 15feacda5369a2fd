import { isEnded, type ScopeReading, StintError } from '../../core/index.ts'
import type { Operator } from '../operator.ts'
import { endTree } from './end-tree.ts'

/** Ends a run and everything below it; the processes that run them see that within a second. */
export async function stopScope(operator: Operator, { id, path, kind, status }: ScopeReading, reason: string) {
  if (kind === 'lasting') {
    const message = `"${path}" is a budget and cannot be ended. To admit no more calls: stint pause ${path}`
    throw new StintError('invalid_option', message)
  }
  if (isEnded(status)) throw new StintError('scope_closed', `"${path}" has already ended (${status}).`)
  // Paused first, so that nothing new opens in the meantime, and the journal records who stopped it and why.
  await operator.store.pause({ scopeId: id, reason, by: operator.by, atMs: operator.nowMs() })
  return { id, path, status: 'stopped', stopped: await endTree(operator, id, 'stopped') } as const
}
