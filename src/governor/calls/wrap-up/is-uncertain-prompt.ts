import type { ModelCallSpec } from '../../call.ts'

const CERTAIN_TOKENS = 500
const CERTAIN_SHARE = 0.05

/** Whether so much of the prompt is uncounted that asking the provider to count it is worth a request. */
export function isUncertainPrompt({
  inputTokens,
  countedTokens = 0,
}: Pick<ModelCallSpec, 'inputTokens' | 'countedTokens'>): boolean {
  return inputTokens - countedTokens > Math.max(CERTAIN_TOKENS, inputTokens * CERTAIN_SHARE)
}
