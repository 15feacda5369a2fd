import { type CallEnding, callFingerprint, endingFingerprint, type RepeatableCall } from './fingerprint.ts'
import { isRepeating, NO_REPEATS, type RanCall, type RepeatState, WITHIN_CALLS } from './repeat-state.ts'

// A call among others, equal to none.
const INCOMPARABLE: RanCall = { call: '', ending: '' }

/**
 * Told after each call that ran. A call that changes things makes everything before it old news; if it failed, its own
 * failures stay, since an edit that cannot be applied is the commonest thing to be tried over and over.
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
