import type { SentAnswer } from '../../../loop/loop-call.ts'
import { type CacheMark, completeUsage, type Usage, usageFromAiSdk } from '../../../pricing/index.ts'
import type { AnswerPart } from './language-model.ts'

/**
 * The usage of an answer in our form. `null` where the provider reported none: then the worst case is charged. What
 * cannot be believed is handed on as such, so that it is told.
 */
export function answerUsage(cacheMark: CacheMark, reported: unknown): Partial<Usage> | null {
  const { usage, anomalies } = usageFromAiSdk(reported, { cacheMark })
  if (usage !== null) return usage
  return anomalies.some(({ kind }) => kind !== 'missing') ? { inputTokens: Number.NaN } : null
}

/** What an answer tells of its prompt. What was read again and again for the provider's own tools says nothing of it. */
export function countedBy(usage: Partial<Usage> | null, content: readonly AnswerPart[]): SentAnswer['counted'] {
  const isReadAgain = content.some((part) => part.type === 'tool-call' && part.providerExecuted === true)
  if (isReadAgain || usage?.inputTokens === undefined || !Number.isSafeInteger(usage.inputTokens)) return null
  return { usage: completeUsage(usage) }
}
