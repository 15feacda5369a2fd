import type { Breach, Breaches } from '../core/index.ts'
import { edgeOf } from '../governor/edge.ts'
import { attempt } from './attempt.ts'
import { closeCall } from './closing/close-call.ts'
import type { LoopCall, LoopEnd, SentAnswer } from './loop-call.ts'
import { capOf, planCall } from './plan-call.ts'
import type { PlannedCall } from './planned-call.ts'
import { givesUpAllowedTools } from './provider-tools.ts'
import type { RequestView } from './request-view.ts'

/**
 * Takes a request through the limits of its scope: planned, reserved, sent and settled. Where a limit ends the work, the
 * same request goes out as the closing call, once. Throws what sending it throws, and what the governor throws.
 */
export async function governCall<Request extends RequestView, Sent extends SentAnswer>(
  call: LoopCall<Request, Sent>,
): Promise<LoopEnd<Sent>> {
  try {
    return await callOnce(call)
  } catch (error) {
    if (!givesUpAllowedTools(call, call.refusalText(error))) throw error
    return callOnce(call)
  }
}

async function callOnce<Request extends RequestView, Sent extends SentAnswer>(
  call: LoopCall<Request, Sent>,
): Promise<LoopEnd<Sent>> {
  const planned = await planCall(call)
  const ask = (onGrant: () => void) =>
    call.state.scope.callModel(planned.spec, attempt(call, planned, { isHeldBack: false, onGrant }))
  const outcome = await call.ask(ask, false)
  if (outcome === null) return { kind: 'called-off' }
  if (outcome.kind === 'done') {
    const { value: sent, clampedTo } = outcome
    return (await closeInstead(call, planned, sent)) ?? (await answered(call, planned, sent, clampedTo))
  }
  if (outcome.kind === 'stopped') {
    const { by: breach } = outcome
    const end = { kind: 'stopped', breach } as const
    // One that runs on was stopped because nothing at all may.
    return breach === null || planned.spec.runsOn === true ? end : close(call, planned, [breach], end)
  }
  const { breaches, mayFitLater } = outcome
  const end = { kind: 'refused', breaches, mayFitLater } as const
  return mayFitLater || call.isOver() ? end : close(call, planned, breaches, end)
}

/** The closing call in place of one that a limit refused or stopped; `end` where there is none. */
async function close<Request extends RequestView, Sent extends SentAnswer>(
  call: LoopCall<Request, Sent>,
  planned: PlannedCall<Request>,
  breaches: Breaches,
  end: LoopEnd<Sent>,
): Promise<LoopEnd<Sent>> {
  call.onRefused?.(breaches)
  const [breach] = breaches
  if (!call.settings.mayClose || breach.action === 'pause' || searchesByItself(call.request)) return end
  const closed = await closeCall(call, planned, breach)
  return closed === null ? end : answered(call, closed.planned, closed.sent, null)
}

/** A model that searches by itself would do so in its last answer, too. */
function searchesByItself({ providerTools }: RequestView): boolean {
  return providerTools.some(({ isBuiltIn }) => isBuiltIn === true)
}

/**
 * An answer that a cap of ours has cut, and of which nothing was handed on yet, is replaced by the closing answer: what
 * is held back pays for it. `null` where it is to be handed on as it is.
 */
async function closeInstead<Request extends RequestView, Sent extends SentAnswer>(
  call: LoopCall<Request, Sent>,
  planned: PlannedCall<Request>,
  sent: Sent,
): Promise<LoopEnd<Sent> | null> {
  const { request, settings, state } = call
  const isLost = sent.isCutByCap && !sent.callsTools && sent.cap < planned.spec.maxOutputTokens
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
    // The answer that was cut is there all the same.
    return null
  }
}

async function answered<Request extends RequestView, Sent extends SentAnswer>(
  call: LoopCall<Request, Sent>,
  planned: PlannedCall<Request>,
  sent: Sent,
  clampedTo: number | null,
): Promise<LoopEnd<Sent>> {
  const { limits, request } = call
  const isBounded = limits.boundsOutput || planned.isClosing
  const isCapOurs = isBounded && (request.maxOutputTokens === null || sent.cap < capOf(request))
  const isCut = sent.isCutByCap && isCapOurs
  // Known before the client has the end of the answer, and may end with it.
  const cutBy = isCut && !planned.isClosing ? await limitBehind(call, planned) : null
  const cap = limits.boundsOutput ? clampedTo : null
  return { kind: 'answered', sent, planned, clampedTo: isCut ? sent.cap : cap, cutBy }
}

/** The limit that cut an answer short; `null` where the ledger can't say. */
async function limitBehind({ state }: Pick<LoopCall, 'state'>, { spec }: PlannedCall): Promise<Breach | null> {
  try {
    return await edgeOf(state.scope).cutShortBy(spec)
  } catch {
    // The answer is there, whether or not the ledger can say why it is short.
    return null
  }
}
