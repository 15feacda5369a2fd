import type { Cancel } from '../core/index.ts'
import { beginCall, endCall } from './activity.ts'
import { runAt } from './current-scope.ts'
import { keepAlive } from './keep-alive.ts'
import { onAbort } from './on-abort.ts'
import { isClockLimit, type ScopeRuntime } from './scope-runtime.ts'

/** What became of code that was run under a signal. */
export type RunEnd<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  /** `wasStopped`: after it was told to stop. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly wasStopped: boolean }
  /** It was told to stop, and had not stopped when its grace was over. */
  | { readonly kind: 'abandoned' }

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
  const call = beginCall(runtime.activity)
  runtime.clocks.touch()
  const stop = stopWith(runtime, options)
  // A call that hangs is stopped by a clock, if the process lives so long.
  const hasClock = runtime.rootToSelf.some(({ limits }) => limits.some(isClockLimit))
  const letGo = hasClock ? keepAlive(runtime.context.clock) : null
  try {
    const started = runAt({ scope: runtime, call }, async () => run(stop.signal))
    const ended = started.then<RunEnd<Value>, RunEnd<Value>>(
      (value) => ({ kind: 'done', value }),
      (error: unknown) => ({ kind: 'failed', error, wasStopped: stop.signal.aborted }),
    )
    return await Promise.race([ended, stop.graceOver])
  } finally {
    letGo?.()
    stop.forget()
    endCall(call)
    runtime.clocks.touch()
  }
}

interface Stop {
  readonly signal: AbortSignal
  readonly graceOver: Promise<{ readonly kind: 'abandoned' }>
  forget(): void
}

/** A signal of its own for each call, tied to the scope's only while it runs: a scope may make any number of calls. */
function stopWith({ context, work, controller }: ScopeRuntime, options: RunOptions): Stop {
  const { clock, graceMs } = context
  const { timeoutMs, isClosing = false, changes = false } = options
  const scopeSignal = isClosing ? controller.signal : work.signal
  const own = new AbortController()
  const timers: Cancel[] = []
  let giveUp: (end: { readonly kind: 'abandoned' }) => void = () => {}
  const graceOver = new Promise<{ readonly kind: 'abandoned' }>((resolve) => {
    giveUp = resolve
  })
  const afterGrace = (callback: () => void): void => void timers.push(clock.after(graceMs, callback))
  const abandon = (): void => giveUp({ kind: 'abandoned' })
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
  const callOff = scopeSignal.aborted ? null : onAbort(scopeSignal, onScopeStop)
  if (callOff === null) onScopeStop()
  return {
    signal: own.signal,
    graceOver,
    forget() {
      callOff?.()
      for (const cancel of timers) cancel()
    },
  }
}

function timeoutError(timeoutMs: number): Error {
  return Object.assign(new Error(`Timed out after ${timeoutMs}ms.`), { name: 'TimeoutError' })
}
