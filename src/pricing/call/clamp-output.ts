import { assertKnownOptions, optionNames } from '../../core/checks/assert-known-options.ts'
import { assertCount } from './assert-count.ts'
import { fitThinking } from './fit-thinking.ts'
import { SMALLEST_THINKING } from './model-call.ts'
import { leastOutput, OUTPUT_WORTH_WAITING_FOR } from './output-floor.ts'

export interface ClampQuestion {
  /** The output cap that the client requested. */
  readonly asked: number
  readonly modelMaximum?: number | null
  /** The output tokens that the path can pay for now. */
  readonly payableNow: number
  /** The output tokens that it could pay for if every call in flight settled at its minimum. */
  readonly payableLater: number
  readonly thinkingBudget?: number | null
  readonly smallestThinking?: number
}

export type ClampDecision =
  | {
      readonly kind: 'granted'
      readonly maxOutput: number
      readonly thinkingBudget: number | null
      /** Whether the cap or the thinking budget is smaller than requested. */
      readonly clamped: boolean
    }
  /** Calls in flight may still free up room. */
  | { readonly kind: 'wait' }
  /** Not even the smallest sensible call can ever be paid for. */
  | { readonly kind: 'breach' }

const QUESTION = optionNames<ClampQuestion>({
  asked: true,
  modelMaximum: true,
  payableNow: true,
  payableLater: true,
  thinkingBudget: true,
  smallestThinking: true,
})
const WHERE = { place: 'clampOutput', validForm: '{ asked: 4096, payableNow: 1500, payableLater: 9000 }' }

/**
 * The output cap for a call: it waits before it is cut, and is cut before it is refused. Throws `InvalidCallError` for
 * invalid counts.
 */
export function clampOutput(question: ClampQuestion): ClampDecision {
  assertKnownOptions('clampOutput', question, QUESTION)
  assertQuestion(question)
  const { asked, payableNow, payableLater, thinkingBudget = null, smallestThinking = SMALLEST_THINKING } = question
  const most = Math.min(asked, question.modelMaximum ?? asked)
  const least = leastOutput({ maxOutputTokens: most, thinkingBudget, smallestThinking })
  const enough = Math.max(least, Math.min(most, OUTPUT_WORTH_WAITING_FOR))
  const now = Math.min(most, payableNow)
  const later = Math.min(most, payableLater)
  if (now < enough && later > now) return later < least ? { kind: 'breach' } : { kind: 'wait' }
  if (now < least) return { kind: 'breach' }
  const budget =
    thinkingBudget === null
      ? null
      : fitThinking({ askedOutput: asked, grantedOutput: now, thinkingBudget, smallestThinking })
  if (budget === null && thinkingBudget !== null) return { kind: 'breach' }
  return { kind: 'granted', maxOutput: now, thinkingBudget: budget, clamped: now < asked || budget !== thinkingBudget }
}

function assertQuestion(question: ClampQuestion): void {
  const { asked, modelMaximum, payableNow, payableLater, thinkingBudget, smallestThinking = 0 } = question
  // A path over its limit can pay for nothing.
  const orNothing = (tokens: number) => (Number.isSafeInteger(tokens) ? Math.max(tokens, 0) : tokens)
  assertCount('asked', asked, WHERE)
  assertCount('modelMaximum', modelMaximum ?? 0, WHERE)
  assertCount('payableNow', orNothing(payableNow), WHERE)
  assertCount('payableLater', orNothing(payableLater), WHERE)
  assertCount('thinkingBudget', thinkingBudget ?? 0, WHERE)
  assertCount('smallestThinking', smallestThinking, WHERE)
}
