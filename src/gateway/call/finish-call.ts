import type { Breach } from '../../core/index.ts'
import { cutShortBy } from '../../governor/index.ts'
import type { GatewayCall, RequestEnd } from '../gateway.ts'
import type { LiveCall } from './live-call.ts'
import type { PlannedCall } from './planned-call.ts'
import type { SentCall } from './send-call.ts'

/** Hands the rest of a settled answer on, and says that the call went through. */
export async function finishCall(
  call: LiveCall,
  planned: PlannedCall,
  sent: SentCall,
  clampedTo: number | null,
): Promise<RequestEnd> {
  const isCut = sent.reading.isCutByCap && isCapOurs(call, planned, sent)
  // Known before its client has the end of the answer, and may end with it.
  const cutBy = isCut && !planned.isClosing ? await limitBehind(call, planned) : null
  const cap = call.limits.boundsOutput ? clampedTo : null
  sent.sink.finish(sent.rest)
  if (call.request.hasTools) call.state.awaitsResults = sent.reading.toolCalls.passed > 0
  tell(call, planned, sent, { clampedTo: isCut ? sent.cap : cap, cutBy })
  return 'answered'
}

/** A request that names no cap is given one where a limit bounds its output. */
function isCapOurs({ request, limits }: LiveCall, { isClosing, isCarried }: PlannedCall, { cap }: SentCall): boolean {
  if (isCarried || !(limits.boundsOutput || isClosing)) return false
  return request.maxOutputTokens === null || cap < request.maxOutputTokens
}

/** The limit that cut an answer short; `null` where the ledger can't say. */
export async function limitBehind({ scope }: LiveCall, { spec }: PlannedCall): Promise<Breach | null> {
  try {
    return await cutShortBy(scope, spec)
  } catch {
    // The answer is there, whether or not the ledger can say why it is short.
    return null
  }
}

function tell(
  { options, scope, keyScope, caller, dialect, request }: LiveCall,
  { isClosing }: PlannedCall,
  { reading }: SentCall,
  cut: Pick<GatewayCall, 'clampedTo' | 'cutBy'>,
): void {
  try {
    options.onCall?.({
      scopeId: scope.id,
      runId: keyScope.id,
      sessionId: caller.sessionId,
      dialect: dialect.name,
      model: request.model,
      isClosing,
      hasTools: request.hasTools,
      ...cut,
      text: reading.text,
    })
  } catch {
    // A listener that throws must not decide what becomes of an answer.
  }
}
