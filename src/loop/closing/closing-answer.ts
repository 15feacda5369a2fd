import type { Breach } from '../../core/index.ts'
import { cutAtBudget, edgeOf, shortWrapUpText } from '../../governor/edge.ts'
import { promptTokens, SMALLEST_ANSWER, SMALLEST_THINKING } from '../../pricing/index.ts'
import { attempt } from '../attempt.ts'
import type { LoopCall, SentAnswer } from '../loop-call.ts'
import type { PlannedCall } from '../planned-call.ts'
import type { RequestView } from '../request-view.ts'

/**
 * The closing answer as it is handed on. One that is empty, or was cut by its output cap, is asked for once more, in
 * short, if that can be paid. Otherwise what there is of it is handed on as an answer that ended regularly and says so.
 */
export async function answerOfUse<Request extends RequestView, Sent extends SentAnswer>(
  call: LoopCall<Request, Sent>,
  closing: PlannedCall<Request>,
  first: Sent,
  breach: Breach,
): Promise<Sent> {
  // One that broke off is passed on as it is: what was missing is not known.
  if (call.isOver() || !call.isReplaceable(first) || first.isCut || isOfUse(first)) return first
  const second = await askAgain(call, shorterCall(closing, first, breach))
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
  closing: PlannedCall<Request>,
  { usage, counted }: SentAnswer,
  breach: Breach,
): PlannedCall<Request> {
  const { countTokens: _, ...spec } = closing.spec
  const before = closing.edits.closing!
  const text = shortWrapUpText(breach)
  // It may think without a budget for that.
  const thinking = spec.thinkingBudget ?? ((usage?.reasoningTokens ?? 0) > 0 ? SMALLEST_THINKING : 0)
  // A token is one byte at least.
  const added = Buffer.byteLength(text) - Buffer.byteLength(before.text)
  return {
    ...closing,
    edits: { ...closing.edits, closing: { ...before, text } },
    spec: {
      ...spec,
      inputTokens: (counted === null ? spec.inputTokens : promptTokens(counted.usage)) + added,
      maxOutputTokens: Math.min(spec.maxOutputTokens, SMALLEST_ANSWER + thinking),
    },
  }
}

/** `null`: there is no room for it, or nothing came of it. */
async function askAgain<Request extends RequestView, Sent extends SentAnswer>(
  call: LoopCall<Request, Sent>,
  closing: PlannedCall<Request>,
): Promise<Sent | null> {
  try {
    const run = attempt(call, closing, { isHeldBack: true, isSecond: true })
    const outcome = await edgeOf(call.state.scope).repeatWrapUp(closing.spec, run)
    return outcome.kind === 'done' ? outcome.value : null
  } catch {
    // The first answer is there all the same.
    return null
  }
}

/** The same answer with a regular end, and a last line that says where it was cut. */
function cut<Request extends RequestView, Sent extends SentAnswer>(call: LoopCall<Request, Sent>, sent: Sent): Sent {
  return call.withText(sent, cutAtBudget(textOf(sent)))
}
