import { type Breach, type Breaches, describeBreach, type Limit, LimitExceededError } from '../core/index.ts'
import { answerOf, askForIncrease } from './ask-for-increase.ts'
import { abortAll, haltScope } from './halt-scope.ts'
import { pauseScope, resumeScope } from './pause-scope.ts'
import type { ClockEvents } from './scope-clocks.ts'
import type { ScopeRuntime } from './scope-runtime.ts'
import { tellCrossings, tellExceeded } from './tell.ts'

/** What a scope does when its clocks speak. */
export function clockEvents(runtimeOf: () => ScopeRuntime): ClockEvents {
  return {
    onCrossing(limit, crossing, usedMs) {
      // That an enforced limit is reached is told with its breach.
      if (crossing.kind !== 'nearing' && limit.action !== 'warn') return
      const runtime = runtimeOf()
      const standing = { settled: usedMs, reserved: 0, held: 0, resetsAt: null }
      tellCrossings(runtime, [{ scopeId: runtime.id, scopePath: runtime.path, limit, crossing, ...standing }])
    },
    onClosing(limit, usedMs) {
      const runtime = runtimeOf()
      if (limit.action === 'terminate') haltScope(runtime, [clockBreach(runtime, limit, usedMs)])
    },
    onLimit(limit, usedMs) {
      const runtime = runtimeOf()
      const breaches: Breaches = [clockBreach(runtime, limit, usedMs)]
      tellExceeded(runtime, breaches)
      if (limit.action === 'pause') inBackground(pauseScope(runtime, { breaches, reason: breaches[0].message }))
      else if (limit.action === 'ask') inBackground(askForTime(runtime, limit, breaches))
      else endByClock(runtime, limit, breaches)
    },
  }
}

/** Idle time leaves time for a closing call; the other clocks have kept some back, and now there is none. */
function endByClock(runtime: ScopeRuntime, limit: Limit, breaches: Breaches): void {
  haltScope(runtime, breaches)
  const mayClose = limit.meter === 'idleTime' && runtime.wrapsUp
  if (!mayClose) abortAll(runtime, new LimitExceededError(breaches))
}

async function askForTime(runtime: ScopeRuntime, limit: Limit, breaches: Breaches): Promise<void> {
  const [{ settled, message }] = breaches
  const increase = askForIncrease(runtime, limit, { asked: limit.max, settled, reason: message })
  await pauseScope(runtime, { breaches, request: increase.request.id, reason: message })
  const isGranted = await answerOf(increase, runtime.controller.signal)
  if (isGranted || !runtime.context.living.has(runtime.id)) return
  endByClock(runtime, limit, breaches)
  if (runtime.pause?.request === increase.request.id) await resumeScope(runtime, increase.request.by)
}

/** A timer has nobody to answer to. The scope's state has changed already; only the store's part can fail. */
function inBackground(step: Promise<unknown>): void {
  step.catch(() => {})
}

function clockBreach(runtime: ScopeRuntime, limit: Limit, usedMs: number): Breach {
  const standing = { settled: usedMs, reserved: 0, held: 0, asked: 0, remaining: 0, resetsAt: null }
  return describeBreach(runtime, limit, standing)
}
