import type { Breach, Breaches } from '../core/index.ts'
import { edgeOf } from '../governor/edge.ts'
import type { AgentCall, AgentCallEnd, SentAnswer } from './agent-call.ts'
import { planCall } from './plan-call.ts'
import type { PlannedCall } from './planned-call.ts'
import { givesUpAllowedTools } from './provider-tools.ts'
import type { RequestView } from './request-view.ts'
import { sendAttempt } from './send-attempt.ts'
import { closeCall } from './wrap-up/close-call.ts'

/**
 * Takes a request through the limits of its scope: plans, reserves, sends and settles it. If a limit ends the work, the
 * same request is sent as the closing call, once. Rethrows the errors of sending it, and those of the governor.
 */
export async function governCall<Request extends RequestView, Sent extends SentAnswer>(
  call: AgentCall<Request, Sent>,
): Promise<AgentCallEnd<Sent>> {
  try {
    return await callOnce(call)
  } catch (error) {
    if (!givesUpAllowedTools(call, call.refusalText(error))) throw error
    return callOnce(call)
  }
}

async function callOnce<Request extends RequestView, Sent extends SentAnswer>(
  call: AgentCall<Request, Sent>,
): Promise<AgentCallEnd<Sent>> {
  const planned = await planCall(call)
  const ask = (onGrant: () => void) =>
    call.state.scope.callModel(planned.spec, sendAttempt(call, planned, { isHeldBack: false, onGrant }))
  const outcome = await call.ask(ask, false)
  if (outcome === null) return { kind: 'called-off' }
  if (outcome.kind === 'done') {
    const { value: sent, clampedTo } = outcome
    const closed = sent.isCutByCap ? await closeInstead(call, planned, sent) : null
    return closed ?? answered(call, planned, sent, clampedTo)
  }
  if (outcome.kind === 'stopped') {
    const { by: breach } = outcome
    const end = { kind: 'stopped', breach } as const
    // A call that runs on is stopped only because nothing at all may continue.
    return breach === null || planned.spec.runsOn === true ? end : close(call, planned, [breach], end)
  }
  const { breaches, mayFitLater } = outcome
  const end = { kind: 'refused', breaches, mayFitLater } as const
  return mayFitLater || call.isOver() ? end : close(call, planned, breaches, end)
}

/** The closing call instead of one that a limit refused or stopped; `end` if there is none. */
async function close<Request extends RequestView, Sent extends SentAnswer>(
  call: AgentCall<Request, Sent>,
  planned: PlannedCall<Request>,
  breaches: Breaches,
  end: AgentCallEnd<Sent>,
): Promise<AgentCallEnd<Sent>> {
  call.onRefused?.(breaches)
  const [breach] = breaches
  if (!call.settings.mayClose || breach.action === 'pause' || searchesByItself(call.request)) return end
  const closed = await closeCall(call, planned, breach)
  return closed === null ? end : answered(call, closed.planned, closed.sent, null)
}

/** A model with built-in search would also search in its last answer. */
function searchesByItself({ providerTools }: RequestView): boolean {
  return providerTools.some(({ isBuiltIn }) => isBuiltIn === true)
}

/**
 * Replaces an answer that our cap truncated, if none of it was passed on yet, with the closing answer, paid from its
 * hold. `null` if the answer is to be passed on unchanged.
 */
async function closeInstead<Request extends RequestView, Sent extends SentAnswer>(
  call: AgentCall<Request, Sent>,
  planned: PlannedCall<Request>,
  sent: Sent,
): Promise<AgentCallEnd<Sent> | null> {
  const { request, settings, state } = call
  const isLost = !sent.callsTools && sent.cap < planned.spec.maxOutputTokens
  if (!isLost || !settings.mayClose || request.isFormForced || call.isOver() || !call.isReplaceable(sent)) return null
  const breach = await limitBehind(call, planned)
  if (breach?.action !== 'terminate') return null
  edgeOf(state.scope).haltAt([breach])
  call.onRefused?.([breach])
  call.discard?.(sent)
  try {
    const closed = await closeCall(call, planned, breach)
    return closed === null ? null : await answered(call, closed.planned, closed.sent, null)
  } catch {
    // The truncated answer still exists.
    return null
  }
}

async function answered<Request extends RequestView, Sent extends SentAnswer>(
  call: AgentCall<Request, Sent>,
  planned: PlannedCall<Request>,
  sent: Sent,
  clampedTo: number | null,
): Promise<AgentCallEnd<Sent>> {
  const { limits, request } = call
  const isBounded = limits.boundsOutput || planned.isClosing
  const isCapOurs = isBounded && (request.maxOutputTokens === null || sent.cap < request.maxOutputTokens)
  const isCut = sent.isCutByCap && isCapOurs
  // Recorded before the client has the end of the answer, since it may end with it.
  const cutBy = isCut && !planned.isClosing ? await limitBehind(call, planned) : null
  const cap = limits.boundsOutput ? clampedTo : null
  return { kind: 'answered', sent, planned, clampedTo: isCut ? sent.cap : cap, cutBy }
}

/** The limit that cut an answer short; `null` if the ledger cannot say. */
async function limitBehind({ state }: Pick<AgentCall, 'state'>, { spec }: PlannedCall): Promise<Breach | null> {
  try {
    return await edgeOf(state.scope).cutShortBy(spec)
  } catch {
    // The answer exists, whether or not the ledger can say why it is short.
    return null
  }
}
