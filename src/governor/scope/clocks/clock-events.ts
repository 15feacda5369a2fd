import { increaseFor } from '../../../core/decide/increase-for.ts'
import { type Breach, type Breaches, describeBreach, type Limit, LimitExceededError } from '../../../core/index.ts'
import { emitCrossings, emitExceeded } from '../../events/emit.ts'
import { askForIncrease } from '../../steering/ask-for-increase.ts'
import { pauseScope } from '../../steering/pause-and-resume.ts'
import { pauseForAnswer } from '../../steering/pause-for-answer.ts'
import { abortAll, haltScope } from '../halt-scope.ts'
import type { ScopeRuntime } from '../scope-runtime.ts'
import type { ClockEvents } from './scope-clocks.ts'

/** What a scope does on the events of its clocks. */
export function clockEvents(runtimeOf: () => ScopeRuntime): ClockEvents {
  // A limit may fire again after another one was raised: that it was reached is reported once.
  const reported = new WeakSet<Limit>()
  const emitOnce = (runtime: ScopeRuntime, limit: Limit, breaches: Breaches): void => {
    if (!reported.has(limit)) emitExceeded(runtime, breaches)
    reported.add(limit)
  }
  return {
    onCrossing(limit, crossing, usedMs) {
      // Reaching an enforced limit is reported with its breach.
      if (crossing.kind !== 'nearing' && limit.action !== 'warn') return
      const runtime = runtimeOf()
      const standing = { settled: usedMs, reserved: 0, held: 0, resetsAt: null }
      emitCrossings(runtime, [{ scopeId: runtime.id, scopePath: runtime.path, limit, crossing, ...standing }])
    },
    onClosing(limit, usedMs) {
      const runtime = runtimeOf()
      const breaches: Breaches = [clockBreach(runtime, limit, usedMs)]
      if (runtime.life.halt === null) emitOnce(runtime, limit, breaches)
      // Asked now, so that a denial leaves time for the closing call.
      if (limit.action === 'ask' && runtime.life.halt === null)
        askForTime(runtime, limit, breaches, () => haltScope(runtime, breaches))
      else haltScope(runtime, breaches)
    },
    onLimit(limit, usedMs) {
      const runtime = runtimeOf()
      const breaches: Breaches = [clockBreach(runtime, limit, usedMs)]
      const isReported = runtime.life.halt?.some(({ key }) => key === breaches[0].key) === true
      if (!isReported) emitOnce(runtime, limit, breaches)
      const end = (): void => endByClock(runtime, limit, breaches)
      if (limit.action === 'pause') inBackground(pauseScope(runtime, { breaches, reason: breaches[0].message }))
      else if (limit.action === 'ask' && runtime.life.halt === null) askForTime(runtime, limit, breaches, end)
      else end()
    },
  }
}

/** Idle time leaves time for a closing call; the other clocks kept some back, which is now used up. */
function endByClock(runtime: ScopeRuntime, limit: Limit, breaches: Breaches): void {
  haltScope(runtime, breaches)
  const mayClose = limit.meter === 'idleTime' && runtime.closing.wrapsUp === true
  if (!mayClose) abortAll(runtime, new LimitExceededError(breaches))
}

function askForTime(runtime: ScopeRuntime, limit: Limit, breaches: Breaches, onDenied: () => void): void {
  const [breach] = breaches
  const { settled, message } = breach
  const wanted = { asked: increaseFor(breach), mayBeCut: true, settled, reason: message }
  const ask = askForIncrease(runtime, limit, wanted)
  // If no one can be asked, the request counts as denied.
  const pause = ask.then(
    (increase) => (increase === null ? onDenied() : pauseForAnswer(runtime, increase, breaches, { onDenied })),
    onDenied,
  )
  inBackground(pause)
}

/** A timer has no caller to throw to. The scope's state has changed already; only the store's part can fail. */
function inBackground(step: Promise<unknown>): void {
  step.catch(() => {})
}

function clockBreach(runtime: ScopeRuntime, limit: Limit, usedMs: number): Breach {
  const standing = { settled: usedMs, reserved: 0, held: 0, asked: 0, remaining: 0, resetsAt: null }
  return describeBreach(runtime, limit, standing)
}
