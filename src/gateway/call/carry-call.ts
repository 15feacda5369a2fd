import { callUnderReservation, type FoundReservation, type PathLimits } from '../../governor/index.ts'
import { stateOf } from '../agents/agent-state.ts'
import type { RequestEnd } from '../gateway.ts'
import { finishCall } from './finish-call.ts'
import type { LiveCall } from './live-call.ts'
import { type PlannedCall, planCall } from './planned-call.ts'
import { refuseFailed, stopCall } from './refuse-call.ts'
import { answered, sendCall } from './send-call.ts'

/** A request that is not known to be an agent's of this gateway. */
type SharedCall = Omit<LiveCall, 'scope' | 'state' | 'limits'>

// Who made the reservation tells the model of its budget and counts its tools: here only the output is bounded.
const ONLY_OUTPUT: PathLimits = {
  hasAny: false,
  isEnforced: false,
  boundsOutput: true,
  boundsTools: false,
  boundsCost: false,
}

/**
 * Sends a request under the reservation that came with it, and settles that from the answer before the last of it is
 * handed on. `null`: it does not cover the request, which is then governed like any other.
 */
export async function carryCall(shared: SharedCall, reservation: FoundReservation): Promise<RequestEnd | null> {
  const { keyScope } = shared
  const call: LiveCall = { ...shared, scope: keyScope, state: stateOf(keyScope), limits: ONLY_OUTPUT }
  try {
    const planned = await planCarried(call)
    if (planned === null) return null
    const send = (grant: Parameters<typeof sendCall>[2]) => sendCall(call, planned, grant).then(answered)
    const outcome = await callUnderReservation(keyScope, reservation, planned.spec, send)
    if (outcome === null) return null
    if (outcome.kind === 'done') return await finishCall(call, planned, outcome.value, null)
    return stopCall(call, outcome.by === null ? null : [outcome.by])
  } catch (error) {
    return refuseFailed(call, error)
  }
}

/** The request as it is, with what it can take at most; `null` where nothing in it says how much that is. */
async function planCarried(call: LiveCall): Promise<PlannedCall | null> {
  if (call.request.unbounded.length > 0) return null
  const planned = await planCall(call)
  const { providerToolUses, forbiddenTools, providerToolContents, maxProviderCalls } = planned.edits
  // The tools that the provider runs were bounded by who made the reservation: where we would change them, they were not.
  if ((providerToolUses ?? forbiddenTools ?? providerToolContents ?? maxProviderCalls) !== undefined) return null
  const { toolCalls: _, ...spec } = planned.spec
  const { providerCalls } = planned
  return { ...planned, isCarried: true, spec: providerCalls === 0 ? spec : { ...spec, toolCalls: providerCalls } }
}
