import { showValue } from '../../core/errors.ts'
import { callFingerprint, type RepeatableCall } from './fingerprint.ts'
import { isRepeating, REPEATS, type RepeatState, WITHIN_CALLS } from './repeat-state.ts'

/** Whether a call may run. `reason` is for the model. */
export type RepeatDecision =
  | { readonly decision: 'run'; readonly state: RepeatState }
  | { readonly decision: 'suppress'; readonly reason: string; readonly state: RepeatState }
  | { readonly decision: 'breach'; readonly reason: string; readonly state: RepeatState }

/**
 * Checked before each call. A call that keeps ending the same way is suppressed once (not run, not counted, not
 * recorded), and is a breach the next time. After that the count starts over, for a scope that is resumed or only
 * warns.
 */
export function judgeCall(state: RepeatState, call: RepeatableCall): RepeatDecision {
  const key = call.polls === true ? null : callFingerprint(call)
  if (key === null || !isRepeating(state, key)) return { decision: 'run', state }
  const ranAlready = `${showValue(call.tool)} ran ${REPEATS} times within ${WITHIN_CALLS} calls with these arguments and the same result`
  if (!state.suppressed.includes(key)) {
    return {
      decision: 'suppress',
      reason: `Not run: ${ranAlready}. Use that result, or try something else; calling it again breaches the repeat limit.`,
      state: { ...state, suppressed: [...state.suppressed, key] },
    }
  }
  return {
    decision: 'breach',
    reason: `Not run: ${ranAlready}, and you called it again after being told.`,
    state: {
      ran: state.ran.filter((entry) => entry.call !== key),
      suppressed: state.suppressed.filter((other) => other !== key),
    },
  }
}
