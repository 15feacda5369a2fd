import type { Breach } from '../../core/index.ts'
import { cutAtBudget, repeatWrapUp, shortWrapUpText } from '../../governor/index.ts'
import { completeUsage, promptTokens, SMALLEST_ANSWER, SMALLEST_THINKING } from '../../pricing/index.ts'
import { EMPTIED_ANSWER } from '../dialects/answer/index.ts'
import type { Holding } from './client-sink.ts'
import type { LiveCall } from './live-call.ts'
import type { PlannedCall } from './planned-call.ts'
import { answered, type SentCall, sendCall } from './send-call.ts'

interface Closing {
  readonly breach: Breach
  readonly holding: Holding
}

/**
 * The closing answer as its client gets it. One that is empty, or was cut by its output cap, is asked for once more, in
 * short, if that can be paid. Otherwise what there is of it is sent as an answer that ended regularly and says so.
 */
export async function answerOfUse(
  call: LiveCall,
  closing: PlannedCall,
  first: SentCall,
  why: Closing,
): Promise<SentCall> {
  // One that broke off is passed on as it is: what was missing is not known.
  if (call.client.isOver() || !isHeld(call, first) || !hasEnded(first) || isOfUse(first)) return first
  const second = await askAgain(call, shorterCall(closing, first, why.breach), why.holding)
  if (second === null) return cut(call, first)
  if (!isHeld(call, second) || isOfUse(second)) return second
  return cut(call, textOf(second).length > textOf(first).length ? second : first)
}

/** Nothing of it was sent yet. */
function isHeld({ request }: LiveCall, { sink, rest }: SentCall): boolean {
  return sink.isReplaceable(rest, request.isStream)
}

function hasEnded({ reading: { isComplete, hasError } }: SentCall): boolean {
  return isComplete && !hasError
}

function isOfUse(sent: SentCall): boolean {
  return hasEnded(sent) && !sent.reading.isCutByCap && textOf(sent) !== ''
}

/** What the model itself has said. */
function textOf({ reading: { text } }: SentCall): string {
  return text === EMPTIED_ANSWER ? '' : text.trim()
}

function shorterCall(closing: PlannedCall, { reading }: SentCall, breach: Breach): PlannedCall {
  const { countTokens: _, ...spec } = closing.spec
  const before = closing.edits.closing!
  const text = shortWrapUpText(breach)
  const usage = reading.usage?.usage ?? null
  // It may think without a budget for that.
  const thinking = spec.thinkingBudget ?? ((usage?.reasoningTokens ?? 0) > 0 ? SMALLEST_THINKING : 0)
  // A token is one byte at least.
  const added = Buffer.byteLength(text) - Buffer.byteLength(before.text)
  return {
    ...closing,
    edits: { ...closing.edits, closing: { ...before, text } },
    spec: {
      ...spec,
      inputTokens: (usage === null ? spec.inputTokens : promptTokens(usage)) + added,
      maxOutputTokens: Math.min(spec.maxOutputTokens, SMALLEST_ANSWER + thinking),
    },
  }
}

/** `null`: there is no room for it, or nothing came of it. */
async function askAgain(call: LiveCall, closing: PlannedCall, holding: Holding): Promise<SentCall | null> {
  try {
    const heldBack = { holding, isSecond: true }
    const outcome = await repeatWrapUp(call.scope, closing.spec, (grant) => {
      return sendCall(call, closing, grant, heldBack).then(answered)
    })
    return outcome.kind === 'done' ? outcome.value : null
  } catch {
    // The first answer is there all the same.
    return null
  }
}

/** The same answer with a regular end, and a last line that says where it was cut. */
function cut({ dialect, request }: LiveCall, sent: SentCall): SentCall {
  const { reading, sink } = sent
  const text = cutAtBudget(textOf(sent))
  const usage = reading.usage?.usage ?? completeUsage({})
  sink.drop()
  const rest = dialect.shortAnswer(request, text, { answerId: reading.answerId ?? null, usage })
  return { ...sent, rest, reading: { ...reading, text } }
}
