import type { Cancel } from '../../../core/index.ts'
import { beginCall, endCall } from '../../scope/activity.ts'
import { runAt } from '../../scope/current-scope.ts'
import { keepAlive } from '../../scope/keep-alive.ts'
import { type GovernorContext, isClockLimit, type ScopeRuntime } from '../../scope/scope-runtime.ts'
import { isStopItself } from './is-stop-itself.ts'
import { onAbort } from './on-abort.ts'

/** What became of code that was run under a signal. */
export type RunEnd<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | FailedRun
  /** It was told to stop, and had not stopped when its grace was over. `late`: what it comes to after all. */
  | { readonly kind: 'abandoned'; readonly late: Promise<RanToItsEnd<Value>> }
  /** It had to stop before it began. */
  | { readonly kind: 'not-run' }

interface FailedRun {
  readonly kind: 'failed'
  readonly error: unknown
  /** It had been told to stop. */
  readonly wasStopped: boolean
  /** The error is only that stop, handed on. */
  readonly isStopItself: boolean
}

/** It came back by itself. */
export type RanToItsEnd<Value> = Extract<RunEnd<Value>, { readonly kind: 'done' | 'failed' }>

export interface RunOptions {
  readonly timeoutMs?: number | undefined
  /** A closing call: stopped only when nothing at all may go on. */
  readonly isClosing?: boolean
  /** It changes things: when the scope must stop it may finish within the grace, and only then is told to stop. */
  readonly changes?: boolean
}

/**
 * Runs a call of a scope under a signal that is aborted with the scope, or after `timeoutMs`. Never throws, and never
 * waits longer than the grace for code that does not heed its signal. While it runs, the scope works.
 */
export async function runWithSignal<Value>(
  runtime: ScopeRuntime,
  options: RunOptions,
  run: (signal: AbortSignal) => Promise<Value> | Value,
): Promise<RunEnd<Value>> {
  const scopeSignal = options.isClosing === true ? runtime.controller.signal : runtime.work.signal
  if (scopeSignal.aborted) return { kind: 'not-run' }
  const call = beginCall(runtime.activity)
  runtime.clocks.touch()
  let abandon = (): void => {}
  const stop = stopWith(runtime.context, scopeSignal, options, () => abandon())
  // A call that hangs is stopped by a clock, if the process lives so long.
  const hasClock = runtime.rootToSelf.some(({ limits }) => limits.some(isClockLimit))
  const letGo = hasClock ? keepAlive(runtime.context.clock) : null
  try {
    const end = runAt({ scope: runtime, call }, async () => run(stop.signal)).then(
      (value): RanToItsEnd<Value> => ({ kind: 'done', value }),
      (error: unknown): RanToItsEnd<Value> => failedRun(error, stop.signal),
    )
    const abandoned = new Promise<RunEnd<Value>>((resolve) => {
      abandon = () => resolve({ kind: 'abandoned', late: end })
    })
    return await Promise.race([end, abandoned])
  } finally {
    letGo?.()
    stop.forget()
    endCall(call)
    runtime.clocks.touch()
  }
}

function failedRun(error: unknown, signal: AbortSignal): FailedRun {
  const wasStopped = signal.aborted
  return { kind: 'failed', error, wasStopped, isStopItself: wasStopped && isStopItself(error, signal) }
}

interface Stop {
  readonly signal: AbortSignal
  forget(): void
}

/**
 * A signal of its own for each call, tied to the scope's only while it runs: a scope may make any number of calls. Calls
 * `abandon` when the grace of one that was stopped is over.
 */
function stopWith(
  { clock, graceMs }: GovernorContext,
  scopeSignal: AbortSignal,
  { timeoutMs, changes = false }: RunOptions,
  abandon: () => void,
): Stop {
  const own = new AbortController()
  const timers: Cancel[] = []
  const afterGrace = (callback: () => void): void => void timers.push(clock.after(graceMs, callback))
  const stopNow = (reason: unknown): void => {
    own.abort(reason)
    afterGrace(abandon)
  }
  const onScopeStop = (): void => {
    if (!changes) stopNow(scopeSignal.reason)
    else
      afterGrace(() => {
        abandon()
        own.abort(scopeSignal.reason)
      })
  }
  if (timeoutMs !== undefined) timers.push(clock.after(timeoutMs, () => stopNow(timeoutError(timeoutMs))))
  const callOff = onAbort(scopeSignal, onScopeStop)
  return {
    signal: own.signal,
    forget() {
      callOff()
      for (const cancel of timers) cancel()
    },
  }
}

function timeoutError(timeoutMs: number): Error {
  return Object.assign(new Error(`Timed out after ${timeoutMs}ms.`), { name: 'TimeoutError' })
}
