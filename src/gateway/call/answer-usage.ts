import type { SentAnswer } from '../../loop/agent-call.ts'
import type { Usage } from '../../pricing/index.ts'
import type { AnswerReading } from '../dialects/dialect.ts'
import { EMPTIED_ANSWER } from '../dialects/shared/answer/index.ts'

/**
 * The usage of an answer. `null` if nothing is known: the worst case is charged. Implausible usage is passed on
 * unchanged, so that a `usage_anomaly` event is emitted.
 */
export function usageOf({ usage, partialUsage }: AnswerReading): Partial<Usage> | null {
  if (usage === null) return promptOf(partialUsage)
  if (usage.usage !== null) return usage.usage
  return usage.anomalies.some(({ kind }) => kind !== 'missing') ? { inputTokens: Number.NaN } : promptOf(partialUsage)
}

/** An intermediate output count does not bound what was generated since. */
function promptOf(partial: Partial<Usage> | null): Partial<Usage> | null {
  if (partial === null) return null
  const { outputTokens: _, ...known } = partial
  return known
}

/** What the loop needs to know of an answer. */
export function answerOf(reading: AnswerReading): Omit<SentAnswer, 'cap'> {
  const { hasError, isComplete, isCutByCap, text, toolCalls, providerToolCalls, answerId = null } = reading
  const usage = reading.usage?.usage ?? null
  // If provider-run tools read the prompt repeatedly, the count reveals nothing about it.
  const isCounted = usage !== null && isComplete && providerToolCalls === 0
  return {
    usage: usage ?? usageOf(reading),
    isCut: !isComplete || hasError,
    isCutByCap,
    text: text === EMPTIED_ANSWER ? '' : text,
    callsTools: toolCalls.passed > 0,
    counted: isCounted ? { usage, answerId } : null,
  }
}

/** The error came instead of an answer: nothing was generated. */
export function isErrorAlone(reading: AnswerReading): boolean {
  const { usage, partialUsage, text, toolCalls, hasContent = false } = reading
  if (hasContent || text !== '') return false
  return usage === null && partialUsage === null && toolCalls.passed + toolCalls.cut === 0
}
