import { promptTokens, type Usage } from '../../pricing/index.ts'
import type { AnswerReading } from '../dialects/dialect.ts'
import { learnSize } from './learned-sizes.ts'
import type { LiveCall } from './live-call.ts'
import type { PromptEstimate } from './prompt-estimate.ts'

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

// Some dozens are kept for each agent.
const LONGEST_KEPT_ANSWER = 16_384

/** Keeps what a prompt and its answer took, for the estimate of the next prompt that begins with them. */
export function rememberUsage(
  { state, sizes, promptKind }: Pick<LiveCall, 'state' | 'sizes' | 'promptKind'>,
  { digest, parts, estimatedTokens }: PromptEstimate,
  reading: AnswerReading,
): void {
  const { marks } = state
  const usage = reading.usage?.usage ?? null
  // What was read again and again for the provider's own tools says nothing of the prompt.
  if (usage === null || !reading.isComplete || reading.providerToolCalls > 0) return
  const counted = promptTokens(usage)
  const { text } = reading
  marks.remember(digest, {
    parts,
    promptTokens: counted,
    answerTokens: usage.outputTokens,
    ...(text.length > LONGEST_KEPT_ANSWER ? {} : { answerText: text }),
    estimatedTokens,
  })
  if (estimatedTokens !== null) learnSize(promptKind, { estimated: estimatedTokens, counted }, [state.sizes, sizes])
  if (typeof reading.answerId === 'string') {
    marks.rememberAnswer(reading.answerId, promptTokens(usage) + usage.outputTokens)
  }
}

/** The answer is an error that came where an answer was to begin: nothing was generated. */
export function isErrorAlone(reading: AnswerReading): boolean {
  const { hasError, usage, partialUsage, text, toolCalls, hasContent = false } = reading
  if (!hasError || hasContent || text !== '') return false
  return usage === null && partialUsage === null && toolCalls.passed + toolCalls.cut === 0
}
