import type { Cancel } from '../../../core/index.ts'
import { beginCall, endCall } from '../../scope/clocks/activity.ts'
import { keepAlive } from '../../scope/clocks/keep-alive.ts'
import { type CurrentPlace, runAt } from '../../scope/current-scope.ts'
import { pathLimits } from '../../scope/path/path-limits.ts'
import type { GovernorContext, ScopeRuntime } from '../../scope/scope-runtime.ts'
import { isStopItself } from './is-stop-itself.ts'
import { onAbort } from './on-abort.ts'

/** How code that ran under a signal ended. */
export type RunEnd<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | FailedRun
  /** It was asked to stop, and had not when its grace period was over. `late`: its eventual result. */
  | { readonly kind: 'abandoned'; readonly late: Promise<RanToItsEnd<Value>> }
  /** It had to stop before it began. */
  | { readonly kind: 'not-run' }

interface FailedRun {
  readonly kind: 'failed'
  readonly error: unknown
  /** It had been asked to stop. */
  readonly wasStopped: boolean
  /** The error is only that stop, passed on. */
  readonly isStopItself: boolean
}

/** It returned or threw by itself. */
export type RanToItsEnd<Value> = Extract<RunEnd<Value>, { readonly kind: 'done' | 'failed' }>

export interface RunOptions {
  readonly timeoutMs?: number | undefined
  /** A closing call: stopped only when nothing at all may continue. */
  readonly isClosing?: boolean
  /**
   * It has side effects: when the scope must stop it may finish within the grace period, and only then is asked to
   * stop.
   */
  readonly changes?: boolean
}

/**
 * Runs a call of a scope under a signal that is aborted with the scope, or after `timeoutMs`. Never throws, and never
 * waits longer than the grace period for code that ignores its signal. The scope counts as working meanwhile.
 */
export async function runWithSignal<Value>(
  runtime: ScopeRuntime,
  options: RunOptions,
  run: (signal: AbortSignal) => Promise<Value> | Value,
): Promise<RunEnd<Value>> {
  const scopeSignal = options.isClosing === true ? runtime.controller.signal : runtime.work.signal
  if (scopeSignal.aborted) return { kind: 'not-run' }
  const { activity, clocks, context } = runtime
  const call = beginCall(activity)
  clocks.touch()
  const stop = stopWith(context, scopeSignal, options)
  // A clock stops a call that hangs, if the process lives that long.
  const letGo = pathLimits(runtime).hasClock ? keepAlive(context.clock) : null
  try {
    const end = runToItsEnd({ scope: runtime, call }, stop.signal, run)
    return (await Promise.race([end, stop.graceIsOver])) ?? { kind: 'abandoned', late: end }
  } finally {
    letGo?.()
    stop.callOff()
    for (const cancel of stop.timers) cancel()
    endCall(call)
    clocks.touch()
  }
}

async function runToItsEnd<Value>(
  place: CurrentPlace,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Value> | Value,
): Promise<RanToItsEnd<Value>> {
  try {
    return { kind: 'done', value: await runAt(place, run, signal) }
  } catch (error) {
    const wasStopped = signal.aborted
    return { kind: 'failed', error, wasStopped, isStopItself: wasStopped && isStopItself(error, signal) }
  }
}

interface Stop {
  readonly signal: AbortSignal
  /** Resolves when the grace period of a stopped call is over. */
  readonly graceIsOver: Promise<void>
  readonly timers: readonly Cancel[]
  readonly callOff: () => void
}

/** Each call has its own signal, tied to the scope's only while it runs: a scope may make any number of calls. */
function stopWith(
  { clock, graceMs }: GovernorContext,
  scopeSignal: AbortSignal,
  { timeoutMs, changes = false }: RunOptions,
): Stop {
  const own = new AbortController()
  const timers: Cancel[] = []
  let abandon = (): void => {}
  const graceIsOver = new Promise<void>((resolve) => {
    abandon = resolve
  })
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
  return { signal: own.signal, graceIsOver, timers, callOff: onAbort(scopeSignal, onScopeStop) }
}

function timeoutError(timeoutMs: number): Error {
  return Object.assign(new Error(`Timed out after ${timeoutMs}ms.`), { name: 'TimeoutError' })
}
