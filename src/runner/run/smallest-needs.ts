import type { Amounts } from '../../core/index.ts'
import { edgeOf } from '../../governor/edge.ts'
import type { Scope } from '../../governor/index.ts'
import { estimateTokens, SMALLEST_ANSWER, smallestCall } from '../../pricing/index.ts'
import type { PreparedRun } from './prepare-run.ts'

// Tools are created only once there is a scope: this is what one of ours adds to a prompt, rounded up.
const TOKENS_PER_TOOL = 400

/**
 * What must be left for a child to be worth starting: one small call with its whole prompt, and the closing call. A
 * child that could not make them waits in the queue, or is refused before anything is written down.
 */
export function smallestNeeds({ saved, before, first, toolCount, models }: PreparedRun, parent: Scope): Amounts {
  const { modelId } = models[0].model
  const prompt = [saved.system, ...before.map((message) => JSON.stringify(message)), first.content].join('\n')
  const inputTokens = estimateTokens(prompt, 'tight', modelId) + toolCount * TOKENS_PER_TOOL
  const price = edgeOf(parent).priceOf(modelId)
  const call = smallestCall({ price, inputTokens, maxOutputTokens: SMALLEST_ANSWER })
  const { tokens = 0, uncachedTokens = 0, outputTokens = 0, cost = 0 } = call
  return {
    modelCalls: 1,
    tokens: 2 * tokens,
    uncachedTokens: 2 * uncachedTokens,
    outputTokens: 2 * outputTokens,
    // Without a price, something must be left.
    cost: Math.max(1, 2 * cost),
  }
}
