import type { AgentCallEnd } from '../../loop/agent-call.ts'
import type { RequestEnd } from '../gateway.ts'
import type { LiveCall } from './live-call.ts'
import type { SentCall } from './send-call.ts'

type Answered = Extract<AgentCallEnd<SentCall>, { readonly kind: 'answered' }>

/** Passes the rest of a settled answer on, and reports that the call succeeded. */
export function finishCall(call: LiveCall, answered: Answered): RequestEnd {
  const { sent } = answered
  sent.sink.finish(sent.rest)
  if (call.request.hasTools) call.state.awaitsResults = sent.callsTools
  if (call.options.onCall !== undefined) tell(call, answered)
  return 'answered'
}

function tell(
  { options, scope, keyScope, caller, dialect, request }: LiveCall,
  { sent, planned, clampedTo, cutBy }: Answered,
): void {
  try {
    options.onCall?.({
      scopeId: scope.id,
      runId: keyScope.id,
      sessionId: caller.sessionId,
      dialect: dialect.name,
      model: request.model,
      isClosing: planned.isClosing,
      hasTools: request.hasTools,
      clampedTo,
      cutBy,
      text: sent.reading.text,
    })
  } catch {
    // A listener that throws must not affect the answer.
  }
}
