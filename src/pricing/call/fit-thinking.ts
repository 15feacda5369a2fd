import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import { assertCount } from './assert-count.ts'
import { SMALLEST_THINKING } from './model-call.ts'
import { SMALLEST_ANSWER } from './output-floor.ts'

export interface ThinkingFit {
  /** The output cap that the client requested. */
  readonly askedOutput: number
  /** The granted output cap. */
  readonly grantedOutput: number
  readonly thinkingBudget: number
  /** The provider's smallest thinking budget. */
  readonly smallestThinking?: number
}

const FIT = optionNames<ThinkingFit>({
  askedOutput: true,
  grantedOutput: true,
  thinkingBudget: true,
  smallestThinking: true,
})

/**
 * The thinking budget under a smaller cap: the requested one while it leaves room for an answer, then repeatedly
 * halved, since each change invalidates the prompt cache, and finally the provider's smallest. `null`: not even that
 * fits. Thinking is never switched on or off. Throws `InvalidCallError` for a budget that isn't a count, which could be
 * halved forever.
 */
export function fitThinking(fit: ThinkingFit): number | null {
  assertKnownOptions('fitThinking', fit, FIT)
  const { askedOutput, grantedOutput, thinkingBudget, smallestThinking = SMALLEST_THINKING } = fit
  assertCount('thinkingBudget', thinkingBudget)
  if (grantedOutput >= askedOutput) return thinkingBudget
  const most = grantedOutput - SMALLEST_ANSWER
  const least = Math.min(Math.max(smallestThinking, 1), thinkingBudget)
  let budget = thinkingBudget
  while (budget > most && budget > least) budget = Math.max(least, Math.floor(budget / 2))
  return budget <= most ? budget : null
}
