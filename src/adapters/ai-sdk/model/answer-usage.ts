import { completeUsage, promptTokens, type Usage, usageFromAiSdk } from '../../../pricing/index.ts'
import type { AgentLoop } from '../agent-loop.ts'
import { answerDigest } from '../prompt/answer-digest.ts'
import type { AnswerPart } from './language-model.ts'
import type { ModelRequest } from './model-request.ts'

/**
 * The usage of an answer in our form. `null` where the provider reported none: then the worst case is charged. What
 * cannot be believed is handed on as such, so that it is told.
 */
export function answerUsage({ spec }: ModelRequest, reported: unknown): Partial<Usage> | null {
  const { usage, anomalies } = usageFromAiSdk(reported, { cacheMark: spec.cacheMark })
  if (usage !== null) return usage
  return anomalies.some(({ kind }) => kind !== 'missing') ? { inputTokens: Number.NaN } : null
}

interface Answered {
  readonly usage: Partial<Usage> | null
  readonly content: readonly AnswerPart[]
}

/** Keeps what the prompt and its answer took, for the estimate of the next prompt that begins with them. */
export function rememberUsage(loop: AgentLoop, { digests, options }: ModelRequest, { usage, content }: Answered): void {
  if (usage?.inputTokens === undefined || !Number.isSafeInteger(usage.inputTokens)) return
  const counted = completeUsage(usage)
  const messages = options.prompt.length
  const digest = digests.get(messages)
  if (digest === undefined) return
  const { outputTokens: answerTokens } = counted
  loop.marks.remember(digest, {
    messages,
    promptTokens: promptTokens(counted),
    answerTokens,
    answer: answerDigest(content),
  })
}
