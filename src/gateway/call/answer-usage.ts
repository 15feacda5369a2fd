import type { SentAnswer } from '../../loop/loop-call.ts'
import type { Usage } from '../../pricing/index.ts'
import type { AnswerReading } from '../dialects/dialect.ts'

/**
 * The usage of an answer. `null` where nothing is known: then the worst case is charged. What cannot be believed is
 * handed on as such, so that it is told.
 */
export function usageOf({ usage, partialUsage }: AnswerReading): Partial<Usage> | null {
  if (usage === null) return promptOf(partialUsage)
  if (usage.usage !== null) return usage.usage
  return usage.anomalies.some(({ kind }) => kind !== 'missing') ? { inputTokens: Number.NaN } : promptOf(partialUsage)
}

/** Output that was counted on the way is no bound of what was generated since. */
function promptOf(partial: Partial<Usage> | null): Partial<Usage> | null {
  if (partial === null) return null
  const { outputTokens: _, ...known } = partial
  return known
}

/** What an answer tells of its prompt. What was read again and again for the provider's own tools says nothing of it. */
export function countedBy(reading: AnswerReading): SentAnswer['counted'] {
  const usage = reading.usage?.usage ?? null
  if (usage === null || !reading.isComplete || reading.providerToolCalls > 0) return null
  return { usage, answerId: reading.answerId ?? null }
}

/** The answer is an error that came where an answer was to begin: nothing was generated. */
export function isErrorAlone(reading: AnswerReading): boolean {
  const { hasError, usage, partialUsage, text, toolCalls, hasContent = false } = reading
  if (!hasError || hasContent || text !== '') return false
  return usage === null && partialUsage === null && toolCalls.passed + toolCalls.cut === 0
}
