import type { Breach } from '../../core/index.ts'
import { cutAtBudget, edgeOf, shortWrapUpText } from '../../governor/edge.ts'
import { promptTokens, SMALLEST_ANSWER, SMALLEST_THINKING } from '../../pricing/index.ts'
import type { AgentCall, SentAnswer } from '../agent-call.ts'
import { nextAttempt } from '../attempts.ts'
import type { PlannedCall } from '../planned-call.ts'
import type { RequestView } from '../request-view.ts'
import { sendAttempt } from '../send-attempt.ts'

/**
 * The closing answer as it is passed on. One that is empty, or truncated by its output cap, is requested once more in a
 * shorter form, if that can be paid. Otherwise the existing text is passed on as an answer that ended normally, with a
 * note that it was cut.
 */
export async function answerOfUse<Request extends RequestView, Sent extends SentAnswer>(
  call: AgentCall<Request, Sent>,
  closing: PlannedCall<Request>,
  first: Sent,
  breach: Breach,
): Promise<Sent> {
  // An answer that broke off is passed on unchanged: what is missing is unknown.
  if (call.isOver() || !call.isReplaceable(first) || first.isCut || isOfUse(first)) return first
  const second = await askAgain(call, shorterCall(call, closing, first, breach))
  if (second === null) return cut(call, first)
  if (!call.isReplaceable(second) || isOfUse(second)) return second
  return cut(call, textOf(second).length > textOf(first).length ? second : first)
}

function isOfUse(sent: SentAnswer): boolean {
  return !sent.isCut && !sent.isCutByCap && textOf(sent) !== ''
}

function textOf({ text }: SentAnswer): string {
  return text.trim()
}

function shorterCall<Request extends RequestView>(
  { attempts }: Pick<AgentCall, 'attempts'>,
  closing: PlannedCall<Request>,
  { usage, counted }: SentAnswer,
  breach: Breach,
): PlannedCall<Request> {
  const { countTokens: _, ...spec } = closing.spec
  const before = closing.edits.closing!
  const text = shortWrapUpText(breach)
  // It may think without a thinking budget.
  const thinking = spec.thinkingBudget ?? ((usage?.reasoningTokens ?? 0) > 0 ? SMALLEST_THINKING : 0)
  // A token is at least one byte.
  const added = Buffer.byteLength(text) - Buffer.byteLength(before.text)
  return {
    ...closing,
    edits: { ...closing.edits, closing: { ...before, text } },
    spec: {
      ...spec,
      ...nextAttempt(attempts),
      inputTokens: (counted === null ? spec.inputTokens : promptTokens(counted.usage)) + added,
      maxOutputTokens: Math.min(spec.maxOutputTokens, SMALLEST_ANSWER + thinking),
    },
  }
}

/** `null`: there is no room for it, or it failed. */
async function askAgain<Request extends RequestView, Sent extends SentAnswer>(
  call: AgentCall<Request, Sent>,
  closing: PlannedCall<Request>,
): Promise<Sent | null> {
  try {
    const run = sendAttempt(call, closing, { isHeldBack: true, isSecond: true })
    const outcome = await edgeOf(call.state.scope).repeatWrapUp(closing.spec, run)
    return outcome.kind === 'done' ? outcome.value : null
  } catch {
    // The first answer still exists.
    return null
  }
}

/** The same answer with a normal end, and a last line that says where it was cut. */
function cut<Request extends RequestView, Sent extends SentAnswer>(call: AgentCall<Request, Sent>, sent: Sent): Sent {
  return call.withText(sent, cutAtBudget(textOf(sent)))
}
