import { addAmount, type HoldAsk, isAmount } from '../../../core/index.ts'
import { completeUsage, promptTokens, type Usage } from '../../../pricing/index.ts'
import type { ModelCallSpec } from '../../call.ts'
import type { AdmittedCall } from '../call-record.ts'
import { noteAnswer } from './conversation.ts'
import { promptAfter } from './prompt-in.ts'
import { closingHold } from './room-for-closing.ts'

/**
 * Computed with each settlement: what the closing call would cost now, with the conversation so far as its input.
 * `undefined` if nothing is to be held: the closing call was made, or the scope is paused.
 */
export function holdAfter(call: AdmittedCall, usage: Partial<Usage> | null): HoldAsk | undefined {
  const { runtime, spec, priced, progress } = call
  const { thinkingBudget } = progress
  const cap = call.room.units
  const { closing, conversation, context } = runtime
  if (closing.hasWrappedUp) return undefined
  const prompt = promptAt(spec, usage)
  const outputTokens = Math.min(cap, reportedTokens(usage?.outputTokens, cap))
  const atMs = context.clock.monotonicMs()
  noteAnswer(conversation, {
    promptTokens: prompt,
    outputTokens,
    cap,
    askedCap: spec.maxOutputTokens,
    cacheReadTokens: reportedTokens(usage?.cacheReadTokens),
    reasoningTokens: reportedTokens(usage?.reasoningTokens),
    thinkingBudget,
    atMs,
  })
  // For the conversation so far, plus the next tool results.
  const later = addAmount(addAmount(prompt, outputTokens), conversation.addedTokens)
  closing.holdAsk = closingHold(conversation, spec, priced, later)
  const { pause } = runtime.life
  return pause === null || pause.request !== null ? closing.holdAsk : undefined
}

/** Tokens as reported. A call that does not report its output is counted at its cap. */
function reportedTokens(reported: unknown, otherwise = 0): number {
  return isAmount(reported) ? reported : otherwise
}

/**
 * The prompt as the provider counted it, if it says so. With provider-run tools, a prompt is charged each time it is
 * read: the most that it can be is counted.
 */
function promptAt(spec: ModelCallSpec, usage: Partial<Usage> | null): number {
  const { webSearches = 0, fileSearches = 0, providerReading } = spec
  const estimated = promptAfter(spec)
  const readsAgain = providerReading === undefined && webSearches + fileSearches > 0
  if (readsAgain || !isAmount(usage?.inputTokens)) return estimated
  const counted = reportedTokens(promptTokens(completeUsage(usage)), estimated)
  return providerReading === undefined ? counted : Math.min(estimated, counted)
}
