import { type Breaches, isLimitExceeded } from '../../core/index.ts'
import { ScopeClosedError } from '../scope/scope-closed-error.ts'
import { isLiving, type ScopeRuntime } from '../scope/scope-runtime.ts'
import { isUnattended } from '../steering/pause.ts'
import { ScopePausedError } from '../steering/scope-paused-error.ts'

interface Passing {
  /** The closing call: only the end of the scope, or of its time, blocks it. */
  readonly isClosing?: boolean
  /** A child, which an open request does not block: it spends nothing yet, and its calls wait for the answer. */
  readonly isChild?: boolean
}

/**
 * What blocks new work: a limit that ended this scope or one above it, or a limit's pause. Throws `ScopeClosedError`
 * after an end, and `ScopePausedError` if a person paused it, or it is paused for an answer that no call waits for.
 */
export function blockOnPath(
  runtime: ScopeRuntime,
  { isClosing = false, isChild = false }: Passing = {},
): Breaches | null {
  const { rootToSelf, controller } = runtime
  for (const scope of rootToSelf) {
    const { id, life } = scope
    const { halt, pause } = life
    if (!isLiving(scope)) throw new ScopeClosedError(id)
    if (isClosing) continue
    if (halt !== null) return halt
    if (pause === null || (isChild && pause.request !== null)) continue
    if (pause.breaches === null || isUnattended(pause)) throw new ScopePausedError(id, pause.reason)
    return pause.breaches
  }
  return isClosing && controller.signal.aborted ? breachesBehind(controller.signal.reason, runtime) : null
}

function breachesBehind(reason: unknown, { id }: ScopeRuntime): Breaches {
  if (isLimitExceeded(reason)) return reason.breaches
  throw new ScopeClosedError(id)
}
