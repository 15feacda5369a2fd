import type { SentAnswer } from '../../../loop/agent-call.ts'
import { type CacheMark, completeUsage, type Usage, usageFromAiSdk } from '../../../pricing/index.ts'
import type { AnswerPart } from './language-model.ts'

/**
 * The usage of an answer in our format. `null` if the provider reported none: the worst case is charged. Implausible
 * usage is passed on unchanged, so that a `usage_anomaly` event is emitted.
 */
export function answerUsage(cacheMark: CacheMark, reported: unknown): Partial<Usage> | null {
  const { usage, anomalies } = usageFromAiSdk(reported, { cacheMark })
  if (usage !== null) return usage
  return anomalies.some(({ kind }) => kind !== 'missing') ? { inputTokens: Number.NaN } : null
}

/**
 * What an answer reveals about its prompt. If provider-run tools read the prompt repeatedly, the count reveals nothing.
 */
export function countedBy(usage: Partial<Usage> | null, content: readonly AnswerPart[]): SentAnswer['counted'] {
  const isReadAgain = content.some((part) => part.type === 'tool-call' && part.providerExecuted === true)
  if (isReadAgain || usage?.inputTokens === undefined || !Number.isSafeInteger(usage.inputTokens)) return null
  return { usage: completeUsage(usage) }
}
