import type { RequestEnd } from '../gateway.ts'
import type { LiveCall } from './live-call.ts'
import type { PlannedCall } from './planned-call.ts'
import type { SentCall } from './send-call.ts'

/** Hands the rest of a settled answer on, and says that the call went through. */
export function finishCall(call: LiveCall, planned: PlannedCall, sent: SentCall, clampedTo: number | null): RequestEnd {
  sent.sink.finish(sent.rest)
  if (call.request.hasTools) call.state.awaitsResults = sent.reading.toolCalls.passed > 0
  const { options, scope, keyScope, caller, dialect, request, limits } = call
  try {
    options.onCall?.({
      scopeId: scope.id,
      runId: keyScope.id,
      sessionId: caller.sessionId,
      dialect: dialect.name,
      model: request.model,
      isClosing: planned.isClosing,
      clampedTo: limits.boundsOutput && request.maxOutputTokens !== null ? clampedTo : null,
      text: sent.reading.text,
    })
  } catch {
    // Whoever listens must not decide what becomes of an answer.
  }
  return 'answered'
}
