import { type Breach, isElasticMeter } from '../../core/index.ts'
import { promptIn } from '../../governor/edge.ts'
import { notRunResult, wrapUpText } from '../../governor/index.ts'
import { SMALLEST_THINKING } from '../../pricing/index.ts'
import type { AgentCall, SentAnswer } from '../agent-call.ts'
import { capOf, mediaOf, specBase } from '../plan-call.ts'
import type { PlannedCall } from '../planned-call.ts'
import { estimateEdited, estimatePrompt } from '../prompt/prompt-estimate.ts'
import { closingTools } from '../provider-tools.ts'
import type { RequestView } from '../request-view.ts'
import { sendAttempt } from '../send-attempt.ts'
import { answerOfUse } from './closing-answer.ts'

// More than its hold: used if there is room.
const LONGEST_CLOSING_ANSWER = 4_096

/** A closing answer, with the call that it answers. */
export interface Closed<Request extends RequestView, Sent extends SentAnswer> {
  readonly sent: Sent
  readonly planned: PlannedCall<Request>
}

/**
 * Sends the same request as the closing call, made to fit: the oldest tool results are dropped first. `null`: not
 * possible.
 */
export async function closeCall<Request extends RequestView, Sent extends SentAnswer>(
  call: AgentCall<Request, Sent>,
  planned: PlannedCall<Request>,
  breach: Breach,
): Promise<Closed<Request, Sent> | null> {
  const { request, state } = call
  // A forced format stays unchanged.
  const isHeldBack = !request.isFormForced
  const results = request.toolResults.length
  let withoutTools = false
  let left = 0
  while (left < Math.max(1, results * 2)) {
    const closing = await closingCall(call, planned, breach, { resultsLeftOut: Math.min(left, results), withoutTools })
    try {
      const ask = (onGrant: () => void) =>
        state.scope.callWrapUp(closing.spec, sendAttempt(call, closing, { isHeldBack, onGrant }))
      const outcome = await call.ask(ask, true)
      if (outcome === null) return null
      if (outcome.kind === 'done') {
        const sent = isHeldBack ? await answerOfUse(call, closing, outcome.value, breach) : outcome.value
        return { sent, planned: closing }
      }
      if (outcome.kind === 'stopped' || !outcome.breaches.every(({ meter }) => isElasticMeter(meter))) return null
      left = left === 0 ? 1 : left * 2
    } catch (error) {
      // A provider that does not support `none` gets the request again without its tools.
      if (withoutTools || call.refusalText(error)?.includes('tool_choice') !== true) throw error
      withoutTools = true
    }
  }
  return null
}

async function closingCall<Request extends RequestView, Sent extends SentAnswer>(
  call: AgentCall<Request, Sent>,
  planned: PlannedCall<Request>,
  breach: Breach,
  { resultsLeftOut, withoutTools }: { readonly resultsLeftOut: number; readonly withoutTools: boolean },
): Promise<PlannedCall<Request>> {
  const { request, settings, state } = call
  const closing = {
    text: wrapUpText(breach),
    notRun: notRunResult(breach),
    ...(withoutTools ? { withoutTools } : {}),
    ...(resultsLeftOut === 0 ? {} : { resultsLeftOut }),
  }
  const { withoutParallelTools: _, maxProviderCalls: __, ...kept } = planned.edits
  const edits = { ...kept, ...closingTools(call), closing }
  const thinking = request.thinkingBudget === null ? null : Math.min(request.thinkingBudget, SMALLEST_THINKING)
  const maxOutputTokens = Math.min(capOf(request), LONGEST_CLOSING_ANSWER + (thinking ?? 0))
  const capped = { ...edits, maxOutputTokens, ...(thinking === null ? {} : { thinkingBudget: thinking }) }
  const sent = call.edit(request, capped)
  const { counter } = planned
  const known = counter.known()
  const inputTokens = known?.inputTokens ?? promptIn(planned.spec)
  const isBounded = settings.input === 'strict'
  // The planned call may have been refused before it was sent: then this one is the first to show its hint.
  const { hint, attempt = 1 } = planned.spec
  const isHintNew = hint !== undefined && call.attempts.sent < attempt
  const estimate = isBounded
    ? await estimatePrompt(sent, state.marks, { isLimited: true, mode: 'strict' })
    : await estimateEdited(sent, known?.request ?? call.edit(request, planned.edits), { inputTokens })
  const spec = {
    ...specBase(call),
    ...mediaOf(estimate),
    ...counter.specFor(() => sent, { inputTokens: estimate.inputTokens, ...mediaOf(estimate) }),
    inputTokens: estimate.inputTokens,
    maxOutputTokens,
    ...(thinking === null ? {} : { thinkingBudget: thinking }),
    ...(isHintNew ? { hint } : {}),
  }
  return { spec, edits, estimate, counter, isClosing: true, providerCalls: 0 }
}
