import { edgeOf, type FoundReservation, type PathLimits } from '../../governor/edge.ts'
import { planCall } from '../../loop/plan-call.ts'
import type { PlannedCall } from '../../loop/planned-call.ts'
import { sendAttempt } from '../../loop/send-attempt.ts'
import { stateOf } from '../agents/agent-state.ts'
import type { WireRequest } from '../dialects/dialect.ts'
import type { RequestEnd } from '../gateway.ts'
import { finishCall } from './finish-call.ts'
import type { LiveCall } from './live-call.ts'
import { refuseFailed, stopCall } from './refuse-call.ts'
import { type WireCall, wireCallOf } from './wire-call.ts'

/** A request that does not belong to a known agent of this gateway. */
type SharedCall = Omit<LiveCall, 'scope' | 'state' | 'limits' | 'isCarried'>

// The process that reserved shows the model its budget and counts its tools: here only the output is bounded.
const ONLY_OUTPUT: PathLimits = {
  hasAny: false,
  isEnforced: false,
  boundsOutput: true,
  boundsTools: false,
  boundsCost: false,
  hasClock: false,
}

/**
 * Sends a request under the reservation it carries, and settles that from the answer before the last part is passed on.
 * `null`: the reservation does not cover the request, which is then governed like any other.
 */
export async function carryCall(shared: SharedCall, reservation: FoundReservation): Promise<RequestEnd | null> {
  const { keyScope } = shared
  const call: LiveCall = { ...shared, scope: keyScope, state: stateOf(keyScope), limits: ONLY_OUTPUT, isCarried: true }
  const wireCall = wireCallOf(call)
  try {
    const planned = await planCarried(wireCall)
    if (planned === null) return null
    const send = sendAttempt(wireCall, planned, { isHeldBack: false })
    const outcome = await edgeOf(keyScope).callUnderReservation(reservation, planned.spec, send)
    if (outcome === null) return null
    if (outcome.kind === 'stopped') return stopCall(call, outcome.by === null ? null : [outcome.by])
    return finishCall(call, { kind: 'answered', sent: outcome.value, planned, clampedTo: null, cutBy: null })
  } catch (error) {
    return refuseFailed(call, error)
  } finally {
    wireCall.holding?.end()
  }
}

/** The unchanged request, with the most it can take; `null` if nothing in it bounds that. */
async function planCarried(call: WireCall): Promise<PlannedCall<WireRequest> | null> {
  if (call.request.unbounded.length > 0) return null
  const planned = await planCall(call)
  const { providerToolUses, forbiddenTools, providerToolContents, maxProviderCalls } = planned.edits
  // The process that reserved has bounded the provider-run tools: if we would change them, it has not.
  const isChanged = (providerToolUses ?? forbiddenTools ?? providerToolContents ?? maxProviderCalls) !== undefined
  return isChanged ? null : planned
}
