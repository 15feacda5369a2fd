import { governCall } from '../../loop/govern-call.ts'
import type { RequestEnd } from '../gateway.ts'
import { refuse } from '../http/refuse.ts'
import { finishCall } from './finish-call.ts'
import { holdClient, refuseForNow } from './held-client.ts'
import type { LiveCall } from './live-call.ts'
import { unboundedText } from './refusal-texts.ts'
import { refuseBreached, refuseFailed, stopCall } from './refuse-call.ts'
import { wireCallOf } from './wire-call.ts'

/** Takes a request through the limits of its scope: it is answered or refused, and accounted for either way. */
export async function governRequest(call: LiveCall): Promise<RequestEnd> {
  const { client, limits, request, state } = call
  const { unbounded } = request
  if (limits.isEnforced && unbounded.length > 0) {
    refuse(call.response, call.dialect, { kind: 'bad-request', message: unboundedText(call, unbounded) })
    return 'refused-by-stint'
  }
  const held = holdClient(call)
  const wireCall = wireCallOf(call, held.letGo)
  const letGo = (): void => {
    held.letGo()
    wireCall.holding?.end()
  }
  try {
    const end = await governCall(wireCall)
    letGo()
    // Also for a client that left as soon as it had read the end of the stream, as Codex does: the call was made.
    if (end.kind === 'answered') {
      state.unanswered.clear(request.body)
      await call.keepLearned?.()
      return finishCall(call, end)
    }
    state.unanswered.add(request.body, wireCall.attempts.sent)
    // If we gave up, the client was told so; if it has gone, it was not.
    if (end.kind === 'called-off') return client.isGone ? 'unanswered' : 'refused-by-stint'
    if (client.isGone) return 'unanswered'
    if (end.kind === 'stopped') return stopCall(call, end.breach === null ? null : [end.breach])
    if (!end.mayFitLater) return refuseBreached(call, end.breaches)
    refuseForNow(call, end.breaches[0].message)
    return 'refused-by-stint'
  } catch (error) {
    letGo()
    state.unanswered.add(request.body, wireCall.attempts.sent)
    return refuseFailed(call, error)
  }
}
