import { addAmount, type HoldAsk, isAmount } from '../../../core/index.ts'
import { completeUsage, promptTokens, type Usage } from '../../../pricing/index.ts'
import type { ModelCallSpec } from '../../call.ts'
import type { AdmittedCall } from '../call-record.ts'
import { holdAfterAnswer } from './closing-plan.ts'
import { answerTokensOf, noteAnswer } from './conversation.ts'
import { promptAfter } from './prompt-in.ts'

/**
 * With each settlement: what the closing call would cost now, with the conversation so far as its input. `undefined`
 * where nothing is to be held: its closing call was made, or it is paused.
 */
export function holdAfter(call: AdmittedCall, usage: Partial<Usage> | null): HoldAsk | undefined {
  const { runtime, spec, price, progress } = call
  const { thinkingBudget } = progress
  const cap = call.room.units
  const { closing, conversation, context } = runtime
  if (closing.hasWrappedUp) return undefined
  const prompt = promptAt(spec, usage)
  const outputTokens = answerTokensOf(usage, cap)
  const told = (tokens: unknown): number => (isAmount(tokens) ? tokens : 0)
  const atMs = context.clock.monotonicMs()
  noteAnswer(conversation, {
    promptTokens: prompt,
    outputTokens,
    cap,
    askedCap: spec.maxOutputTokens,
    cacheReadTokens: told(usage?.cacheReadTokens),
    reasoningTokens: told(usage?.reasoningTokens),
    thinkingBudget,
    atMs,
  })
  closing.holdAsk = holdAfterAnswer(conversation, spec, price, addAmount(prompt, outputTokens))
  const { pause } = runtime.life
  return pause === null || pause.request !== null ? closing.holdAsk : undefined
}

/** With tools that the provider runs, a prompt is charged for each time that it is read: what is counted is the most. */
function promptAt(spec: ModelCallSpec, usage: Partial<Usage> | null): number {
  const { webSearches = 0, fileSearches = 0, providerReading } = spec
  if (providerReading !== undefined) return Math.min(promptAfter(spec), promptOf(usage, promptAfter(spec)))
  return webSearches + fileSearches > 0 ? spec.inputTokens : promptOf(usage, spec.inputTokens)
}

/** The prompt as the provider counted it, where it says so. */
function promptOf(usage: Partial<Usage> | null, estimated: number): number {
  if (!isAmount(usage?.inputTokens)) return estimated
  const counted = promptTokens(completeUsage(usage))
  return isAmount(counted) ? counted : estimated
}
