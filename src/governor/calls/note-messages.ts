import { crossingsAt, isEnforced, type Limit, NOTHING_ANNOUNCED } from '../../core/index.ts'
import { emitCrossings } from '../events/emit.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'

/**
 * Records the length of a conversation when one of its calls is requested, on its scope and on the scope with the
 * nearest limit, and reports the thresholds it passes. Reaching an enforced limit is reported with its breach.
 */
export function noteMessages(runtime: ScopeRuntime, length: number): void {
  const { rootToSelf } = runtime
  runtime.messages.length = length
  let isLimited = false
  for (let depth = rootToSelf.length - 1; depth >= 0 && !isLimited; depth--) {
    const scope = rootToSelf[depth]!
    for (const limit of scope.limits) {
      if (limit.meter !== 'messages') continue
      isLimited = true
      scope.messages.length = length
      emitPassed(scope, limit, length)
    }
  }
}

function emitPassed(scope: ScopeRuntime, limit: Limit, length: number): void {
  const { id: scopeId, path: scopePath, messages } = scope
  const { crossings, announced } = crossingsAt(limit, length, messages.announced.get(limit) ?? NOTHING_ANNOUNCED)
  messages.announced.set(limit, announced)
  const standing = { settled: length, reserved: 0, held: 0, resetsAt: null }
  const reported = crossings.filter(({ kind }) => kind === 'nearing' || !isEnforced(limit.action))
  emitCrossings(
    scope,
    reported.map((crossing) => ({ scopeId, scopePath, limit, crossing, ...standing })),
  )
}
