import { SMALLEST_ANSWER } from '../../../pricing/index.ts'
import type { Conversation } from './conversation.ts'

/** A thinking budget that has to fit below an output cap. */
export interface ThinkingQuestion {
  /** The output cap requested, and the one granted. */
  readonly askedOutput: number
  readonly grantedOutput: number
  /** The thinking budget requested, and the provider's minimum. */
  readonly thinkingBudget: number
  readonly smallestThinking: number
}

// Between the requested budget and what answers have needed.
const STEP_BETWEEN = 8_192
const STEP = 1_024

/**
 * The thinking budget under a lowered cap, leaving room for an answer. Each change invalidates the prompt cache, so the
 * budget does not shrink with the cap: it drops once or twice in a conversation, to what answers have needed so far,
 * and stays there. `null` if not even the minimum fits.
 */
export function steadyThinking(conversation: Conversation, question: ThinkingQuestion): number | null {
  const { askedOutput, grantedOutput, thinkingBudget, smallestThinking } = question
  const present = Math.min(thinkingBudget, conversation.thinkingBudget ?? thinkingBudget)
  if (grantedOutput >= askedOutput) return present
  const most = grantedOutput - SMALLEST_ANSWER
  const least = Math.min(smallestThinking, thinkingBudget)
  const needed = Math.ceil((conversation.likelyAnswer ?? 0) / STEP) * STEP
  const steps = [present, STEP_BETWEEN, Math.max(least, needed), least]
  return steps.find((step) => step <= present && step <= most && step >= least) ?? null
}
