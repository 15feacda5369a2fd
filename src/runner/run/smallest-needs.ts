import type { Amounts } from '../../core/index.ts'
import { estimateTokens, SMALLEST_ANSWER } from '../../pricing/index.ts'
import type { PreparedRun } from './prepare-run.ts'

// Tools are created only once there is a scope: this is what one of ours adds to a prompt, rounded up.
const TOKENS_PER_TOOL = 400

/** What must be left for a child to be worth starting: one small call with its whole prompt, and the closing call. */
export function smallestNeeds({ saved, before, first, toolCount }: PreparedRun): Amounts {
  const prompt = [saved.system, ...before.map((message) => JSON.stringify(message)), first.content].join('\n')
  const inputTokens = estimateTokens(prompt) + toolCount * TOKENS_PER_TOOL
  const uncachedTokens = 2 * (inputTokens + SMALLEST_ANSWER)
  // The cost is known only with its first call, so something must be left.
  return { modelCalls: 1, tokens: uncachedTokens, uncachedTokens, outputTokens: 2 * SMALLEST_ANSWER, cost: 1 }
}
