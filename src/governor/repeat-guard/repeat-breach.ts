import { showValue } from '../../core/errors.ts'
import type { Action } from '../../core/limits/action.ts'
import type { Breach } from '../../core/limits/breach.ts'
import { REPEATS, WITHIN_CALLS } from './repeat-state.ts'

/** Not a meter of the ledger: the guard reserves and stores nothing. */
export const REPEAT_METER = 'repeat'

/** A breach of the guard: like that of a limit, but without a meter. */
export type RepeatBreach = Omit<Breach, 'meter'> & { readonly meter: typeof REPEAT_METER }

/** The breach of calling `tool` again after it was suppressed. */
export function repeatBreachOf(
  tool: string,
  scope: { readonly id: string; readonly path: string },
  action: Action,
): RepeatBreach {
  return {
    key: `${scope.id} ${REPEAT_METER}`,
    scope: scope.id,
    scopePath: scope.path,
    meter: REPEAT_METER,
    limit: REPEATS,
    per: null,
    settled: REPEATS,
    reserved: 0,
    held: 0,
    asked: 1,
    remaining: 0,
    resetsAt: null,
    action,
    source: { layer: 'defaults', written: 'repeatGuard' },
    leastLimit: null,
    message:
      `The repeat guard of "${scope.path}" does not allow ${showValue(tool)} with the same arguments again: it ran ` +
      `${REPEATS} times within ${WITHIN_CALLS} calls with the same result, and the next such call was suppressed. ` +
      'To turn the guard off, set repeatGuard: false; for a tool that is meant to be called again and again, ' +
      'declare polls: true.',
  }
}
