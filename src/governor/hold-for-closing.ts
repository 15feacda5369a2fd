import { addAmount, type HoldAsk, isAmount } from '../core/index.ts'
import { completeUsage, promptTokens, type Usage } from '../pricing/index.ts'
import type { AdmittedCall, CallProgress } from './account-call.ts'
import { holdAfterAnswer } from './closing/closing-plan.ts'
import { answerTokensOf, noteAnswer } from './closing/conversation.ts'
import type { ScopeRuntime } from './scope-runtime.ts'

/**
 * With each settlement: what the closing call would cost now, with the conversation so far as its input. `undefined`
 * where nothing is to be held: the call was beside the conversation, its closing call was made, or it is paused.
 */
export function holdAfter(
  runtime: ScopeRuntime,
  { spec, price, room, isTalk }: AdmittedCall,
  usage: Partial<Usage> | null,
  { thinkingBudget }: Pick<CallProgress, 'thinkingBudget'>,
): HoldAsk | undefined {
  if (isTalk !== true || runtime.hasWrappedUp) return undefined
  const { conversation, context } = runtime
  const prompt = readsAgain(spec) ? spec.inputTokens : promptOf(usage, spec.inputTokens)
  const outputTokens = answerTokensOf(usage, room.units)
  const told = (tokens: unknown): number => (isAmount(tokens) ? tokens : 0)
  const atMs = context.clock.monotonicMs()
  noteAnswer(conversation, {
    promptTokens: prompt,
    outputTokens,
    cap: room.units,
    askedCap: spec.maxOutputTokens,
    cacheReadTokens: told(usage?.cacheReadTokens),
    reasoningTokens: told(usage?.reasoningTokens),
    thinkingBudget,
    atMs,
  })
  runtime.holdAsk = holdAfterAnswer(conversation, spec, price, addAmount(prompt, outputTokens))
  return runtime.pause === null || runtime.pause.request !== null ? runtime.holdAsk : undefined
}

/** With tools that the provider runs, a prompt is charged for each time that it is read. */
function readsAgain({ webSearches = 0, fileSearches = 0 }: AdmittedCall['spec']): boolean {
  return webSearches + fileSearches > 0
}

/** The prompt as the provider counted it, where it says so. */
function promptOf(usage: Partial<Usage> | null, estimated: number): number {
  if (!isAmount(usage?.inputTokens)) return estimated
  const counted = promptTokens(completeUsage(usage))
  return isAmount(counted) ? counted : estimated
}
