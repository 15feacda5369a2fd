import { assertKnownOptions, optionNames } from '../core/assert-known-options.ts'
import { assertCount } from './assert-count.ts'
import { SMALLEST_THINKING } from './model-call.ts'
import { SMALLEST_ANSWER } from './output-floor.ts'

export interface ThinkingFit {
  /** The output cap that the client asked for. */
  readonly askedOutput: number
  /** The output cap that it gets. */
  readonly grantedOutput: number
  readonly thinkingBudget: number
  /** The provider's smallest budget. */
  readonly smallestThinking?: number
}

const FIT = optionNames<ThinkingFit>({
  askedOutput: true,
  grantedOutput: true,
  thinkingBudget: true,
  smallestThinking: true,
})

/**
 * The thinking budget under a smaller cap: the asked one while it leaves room for an answer, then halves of it, since
 * each change costs the prompt cache, and at last the provider's smallest. `null`: not even that fits. Thinking is
 * never switched on or off. Throws `InvalidCallError` for a budget that is no count, which could be halved forever.
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
