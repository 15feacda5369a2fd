import { explainLimits } from '../policy/index.ts'
import { endScope } from './end-scope.ts'
import type { Scope } from './governor.ts'
import { statusAtEnd } from './halt-scope.ts'
import { openScope } from './open-scope.ts'
import { raiseLimits } from './raise-limits.ts'
import { reserveRoom } from './reserve-room.ts'
import { ScopeClosedError } from './scope-closed-error.ts'
import type { ScopeRuntime } from './scope-runtime.ts'
import { usageOf } from './scope-usage.ts'

/** The handle that users have of a scope: one for each, however often it is found. */
export function handleOf(runtime: ScopeRuntime): Scope {
  runtime.handle ??= createHandle(runtime)
  return runtime.handle
}

function createHandle(runtime: ScopeRuntime): Scope {
  const { context } = runtime
  return {
    id: runtime.id,
    name: runtime.name,
    path: runtime.path,
    signal: runtime.controller.signal,
    reserve: (amounts, options = {}) => reserveRoom(runtime, amounts, options),
    open: async (spec) => handleOf(await openScope(context, runtime, spec, 'agent')),
    async usage({ path = false } = {}) {
      const readings = await context.store.read({ scopeId: runtime.id, atMs: context.clock.wallMs() })
      if (readings === null) throw new ScopeClosedError(runtime.id)
      return usageOf(readings, runtime.kind === 'lasting' ? null : runtime.clocks, path)
    },
    status: () => runtime.status,
    explain: () => explainLimits({ ...runtime.resolved, limits: runtime.limits }),
    raise: (limits, { by = null as string | null } = {}) => raiseLimits(runtime, limits, by),
    stop: (reason = 'stopped') => endScope(runtime, 'stopped', reason),
    close: (status) => endScope(runtime, status ?? statusAtEnd(runtime), 'closed'),
  }
}
