import { isLimitExceeded, isStintError } from '../../../core/index.ts'

const DEEPEST_CAUSE = 5

/**
 * Whether what a call threw after its signal was aborted is only that abort: the signal's reason, an `AbortError`, or
 * the refusal of a scope that ended with it, also as the cause of another error. Anything else is the call's own error.
 */
export function isStopItself(error: unknown, { reason }: AbortSignal): boolean {
  let link = error
  for (let depth = 0; depth <= DEEPEST_CAUSE; depth++) {
    if (link === reason || isLimitExceeded(link) || isStintError(link, 'scope_closed')) return true
    if (isStintError(link, 'call_not_sent')) return true
    if (!(link instanceof Error)) return false
    if (link.name === 'AbortError') return true
    link = link.cause
  }
  return false
}
