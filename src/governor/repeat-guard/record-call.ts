import { type CallEnding, callFingerprint, endingFingerprint, type RepeatableCall } from './fingerprint.ts'
import { isRepeating, NO_REPEATS, type RanCall, type RepeatState, WITHIN_CALLS } from './repeat-state.ts'

// A call that is equal to no other.
const INCOMPARABLE: RanCall = { call: '', ending: '' }

/**
 * Records a call that ran. A call with side effects makes everything before it obsolete; if it failed, its own failures
 * stay, since an edit that cannot be applied is what agents repeat most.
 */
export function recordCall(state: RepeatState, call: RepeatableCall, ended: CallEnding): RepeatState {
  if (call.polls === true) return state
  if (call.changes === true && !('error' in ended)) return NO_REPEATS
  const key = callFingerprint(call)
  const ending = endingFingerprint(ended)
  const before = call.changes === true ? state.ran.filter((entry) => entry.call === key) : state.ran
  const entry = key === null || ending === null ? INCOMPARABLE : { call: key, ending }
  const next = { ran: [...before, entry].slice(-WITHIN_CALLS), suppressed: state.suppressed }
  return { ...next, suppressed: next.suppressed.filter((other) => isRepeating(next, other)) }
}
