import { type Breach, isElasticMeter } from '../../core/index.ts'
import { wrapUpText } from '../../governor/index.ts'
import { SMALLEST_THINKING } from '../../pricing/index.ts'
import { UpstreamRefusedError } from '../upstream/upstream-errors.ts'
import type { Holding } from './client-sink.ts'
import { answerOfUse } from './closing-answer.ts'
import { keepAlive } from './keep-alive.ts'
import type { LiveCall } from './live-call.ts'
import { mediaOf, type PlannedCall, specBase, UNNAMED_CAP } from './planned-call.ts'
import { estimateEdited } from './prompt-estimate.ts'
import { closingTools } from './provider-tools.ts'
import { answered, type SentCall, sendCall } from './send-call.ts'

// More than is held back for it: taken where there is room.
const LONGEST_CLOSING_ANSWER = 4_096

/** The same request as the closing call, made to fit: the oldest tool results are left out first. `null`: there is none. */
export async function closeCall(call: LiveCall, planned: PlannedCall, breach: Breach): Promise<SentCall | null> {
  // A form that the client demands passes as it is.
  const holding = call.request.isFormForced ? null : keepAlive(call)
  try {
    return await makeItFit(call, planned, breach, holding)
  } finally {
    holding?.end()
  }
}

async function makeItFit(
  call: LiveCall,
  planned: PlannedCall,
  breach: Breach,
  holding: Holding | null,
): Promise<SentCall | null> {
  const heldBack = holding === null ? null : { holding, isSecond: false }
  const results = call.request.toolResults.length
  let withoutTools = false
  for (let left = 0; left < Math.max(1, results * 2); left = left === 0 ? 1 : left * 2) {
    const closing = await closingCall(call, planned, breach, { resultsLeftOut: Math.min(left, results), withoutTools })
    try {
      const outcome = await call.scope.callWrapUp(closing.spec, (grant) => {
        return sendCall(call, closing, grant, heldBack).then(answered)
      })
      if (outcome.kind === 'done') {
        return holding === null ? outcome.value : await answerOfUse(call, closing, outcome.value, { breach, holding })
      }
      if (outcome.kind === 'stopped' || !outcome.breaches.every(({ meter }) => isElasticMeter(meter))) return null
    } catch (error) {
      // An upstream that does not know `none` gets the request once more, without its tools.
      if (withoutTools || !refusesToolChoice(error)) throw error
      withoutTools = true
      left = 0
    }
  }
  return null
}

async function closingCall(
  call: LiveCall,
  planned: PlannedCall,
  breach: Breach,
  { resultsLeftOut, withoutTools }: { readonly resultsLeftOut: number; readonly withoutTools: boolean },
): Promise<PlannedCall> {
  const { dialect, request } = call
  const closing = {
    text: wrapUpText(breach),
    ...(withoutTools ? { withoutTools } : {}),
    ...(resultsLeftOut === 0 ? {} : { resultsLeftOut }),
  }
  const { withoutParallelTools: _, maxProviderCalls: __, ...kept } = planned.edits
  const edits = { ...kept, ...closingTools(call), closing }
  const asked = request.maxOutputTokens ?? UNNAMED_CAP
  const thinking = request.thinkingBudget === null ? null : Math.min(request.thinkingBudget, SMALLEST_THINKING)
  const maxOutputTokens = Math.min(asked, LONGEST_CLOSING_ANSWER + (thinking ?? 0))
  const sent = dialect.readRequest(dialect.editRequest(request, { ...edits, maxOutputTokens }))
  const { counter } = planned
  const known = counter.known()
  const estimate = await estimateEdited(sent, known?.request ?? request, known ?? planned.spec)
  const spec = {
    ...specBase(call),
    ...mediaOf(estimate),
    ...counter.specFor(() => sent),
    inputTokens: estimate.inputTokens,
    maxOutputTokens,
    ...(thinking === null ? {} : { thinkingBudget: thinking }),
  }
  return { spec, edits, estimate, counter, isClosing: true, providerCalls: 0, isCarried: false }
}

function refusesToolChoice(error: unknown): boolean {
  if (!(error instanceof UpstreamRefusedError) || error.status !== 400) return false
  return error.body?.includes('tool_choice') === true
}
