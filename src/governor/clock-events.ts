import { type Breach, describeBreach, type Limit } from '../core/index.ts'
import { haltScope } from './halt-scope.ts'
import type { ClockEvents } from './scope-clocks.ts'
import type { ScopeRuntime } from './scope-runtime.ts'
import { tellCrossings, tellExceeded } from './tell.ts'

/** What a scope does when its clocks speak. */
export function clockEvents(runtimeOf: () => ScopeRuntime): ClockEvents {
  return {
    onCrossing(limit, crossing, usedMs) {
      // That an enforced limit is reached is told with its breach.
      if (crossing.kind !== 'nearing' && limit.action !== 'warn') return
      const { id, path } = runtimeOf()
      const standing = { settled: usedMs, reserved: 0, held: 0, resetsAt: null }
      tellCrossings(runtimeOf(), [{ scopeId: id, scopePath: path, limit, crossing, ...standing }])
    },
    onClosing() {},
    onLimit(limit, usedMs) {
      const runtime = runtimeOf()
      const breach = clockBreach(runtime, limit, usedMs)
      tellExceeded(runtime, [breach])
      haltScope(runtime, [breach])
    },
  }
}

function clockBreach(runtime: ScopeRuntime, limit: Limit, usedMs: number): Breach {
  const standing = { settled: usedMs, reserved: 0, held: 0, asked: 0, remaining: 0, resetsAt: null }
  return describeBreach(runtime, limit, standing)
}
