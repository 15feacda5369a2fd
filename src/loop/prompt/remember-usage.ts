import { noteSize } from '../../pricing/estimate/learned-tokens.ts'
import { promptTokens } from '../../pricing/index.ts'
import type { AgentCall, SentAnswer } from '../agent-call.ts'
import type { PromptEstimate } from './prompt-estimate.ts'

// A few dozen are kept for each agent.
const LONGEST_KEPT_ANSWER = 16_384

/** Records what a prompt and its answer took, for the estimate of the next prompt that starts with them. */
export function rememberUsage(
  { state, settings }: Pick<AgentCall, 'state' | 'settings'>,
  { digest, parts, estimatedTokens }: PromptEstimate,
  { counted, text }: SentAnswer,
): void {
  if (counted === null) return
  const { marks, sizes } = state
  const { learned } = settings
  const { usage, answerId = null } = counted
  const prompt = promptTokens(usage)
  marks.remember(digest, {
    parts,
    promptTokens: prompt,
    answerTokens: usage.outputTokens,
    ...(text.length > LONGEST_KEPT_ANSWER ? {} : { answerText: text }),
    estimatedTokens,
  })
  if (estimatedTokens !== null && learned !== undefined) {
    const { kind, elsewhere } = learned
    for (const known of elsewhere === undefined ? [sizes] : [sizes, elsewhere]) {
      const ratios = noteSize(known.get(kind) ?? [], { estimated: estimatedTokens, counted: prompt })
      if (ratios.length > 0) known.set(kind, ratios)
    }
  }
  if (answerId !== null) marks.rememberAnswer(answerId, prompt + usage.outputTokens)
}
