import type { Breaches } from '../../core/index.ts'
import { keepAlive } from '../scope/clocks/keep-alive.ts'
import { isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'

/** A pause that blocks the calls of a scope. */
export interface HoldingPause {
  /** The limits that made it; `null` if a person did. */
  readonly breaches: Breaches | null
  /** Why, in words. */
  readonly reason: string
  /** The request that it waits for; `null` if there is none. */
  readonly request: string | null
}

/** The outermost pause on the path of a scope; `null` while there is none. */
export function pauseOnPath({ rootToSelf }: ScopeRuntime): HoldingPause | null {
  return rootToSelf.find(({ life }) => life.pause !== null)?.life.pause ?? null
}

/**
 * Waits while anything on the path of a scope is paused. `true`: it continues. `false`: it has ended, or the signal was
 * aborted.
 */
export function untilResumed(runtime: ScopeRuntime, signal: AbortSignal): Promise<boolean> {
  const { clock, onMove } = runtime.context
  return new Promise((resolve) => {
    const letGo = keepAlive(clock)
    const end = (isResumed: boolean): void => {
      letGo()
      onMove.delete(look)
      signal.removeEventListener('abort', look)
      resolve(isResumed)
    }
    const look = (): void => {
      if (signal.aborted || hasEnded(runtime)) end(false)
      else if (runtime.rootToSelf.every(({ life }) => life.pause === null)) end(true)
    }
    onMove.add(look)
    signal.addEventListener('abort', look, { once: true })
    look()
  })
}

function hasEnded({ rootToSelf, controller }: ScopeRuntime): boolean {
  return controller.signal.aborted || !rootToSelf.every(isLiving)
}
