import {
  type Amounts,
  addAmount,
  COUNTER_METERS,
  type ElasticRate,
  type HoldAsk,
  type ReserveHold,
} from '../../../core/index.ts'
import {
  amountsAtOutput,
  type CacheMark,
  completeUsage,
  costOf,
  elasticCall,
  type ModelPrice,
  SMALLEST_ANSWER,
  type Usage,
} from '../../../pricing/index.ts'
import type { ModelCallSpec } from '../../call.ts'
import {
  type Conversation,
  capFloor,
  expectsCacheHit,
  likelyAdded,
  likelyAnswer,
  thinkingRoom,
} from './conversation.ts'
import { promptAfter, promptIn } from './prompt-in.ts'

// What a closing answer may take beside the smallest thinking budget.
const CLOSING_OUTPUT_TOKENS = 1_000

/** How a call of a conversation is decided on. */
export interface ClosingPlan {
  /** The output cap below which it is not made. */
  readonly floor: number
  readonly hold: ReserveHold
}

/**
 * What a call must leave for the closing call of its conversation. That has to carry the prompt, the answer that is
 * about to come and what tools bring after it. Worst cases decide what may be sent, and likely costs when to close.
 */
export function closingPlan(
  conversation: Conversation,
  spec: ModelCallSpec,
  price: ModelPrice | null,
  nowMs: number,
): ClosingPlan {
  const floor = capFloor(conversation, spec)
  const later = addAmount(promptAfter(spec), floor + likelyAdded(conversation, promptIn(spec)))
  const likely = likelyAmounts(conversation, spec, { price, floor, nowMs })
  const hold = closingHold(conversation, spec, price, later)
  const longer = Math.max(0, spec.maxOutputTokens - floor)
  const growth =
    longer === 0 ? [] : ratesBetween(hold, closingHold(conversation, spec, price, addAmount(later, longer)), longer)
  return { floor, hold: { ...hold, likely, growth, isFirst: !conversation.isAdmitted } }
}

/** What is held back once an answer is there: for the conversation so far, and what tools bring next. */
export function holdAfterAnswer(
  conversation: Conversation,
  spec: ModelCallSpec,
  price: ModelPrice | null,
  conversationTokens: number,
): HoldAsk {
  return closingHold(conversation, spec, price, addAmount(conversationTokens, conversation.addedTokens))
}

/** What a closing call costs with a prompt of `inputTokens`: a whole one, and the smallest. */
function closingHold(
  conversation: Conversation,
  spec: ModelCallSpec,
  price: ModelPrice | null,
  inputTokens: number,
): HoldAsk {
  const thinking = thinkingRoom(conversation, spec)
  const bounds = { maxOutputTokens: CLOSING_OUTPUT_TOKENS + thinking, choices: 1, webSearches: 0, fileSearches: 0 }
  const closing = elasticCall({ ...spec, ...bounds, inputTokens, price, priceFactor: undefined })
  return {
    wanted: amountsAtOutput(closing, bounds.maxOutputTokens),
    smallest: amountsAtOutput(closing, SMALLEST_ANSWER + thinking),
  }
}

/** What a closing call takes more for each token that its prompt is longer. */
function ratesBetween(short: HoldAsk, long: HoldAsk, tokens: number): readonly ElasticRate[] {
  return COUNTER_METERS.flatMap((meter) => {
    const numerator = (long.smallest[meter] ?? 0) - (short.smallest[meter] ?? 0)
    return numerator > 0 ? [{ meter, numerator, denominator: tokens }] : []
  })
}

interface LikelyQuestion {
  readonly price: ModelPrice | null
  readonly floor: number
  readonly nowMs: number
}

/** The worst case with an answer like those before, but for what a cache will likely spare. */
function likelyAmounts(conversation: Conversation, spec: ModelCallSpec, question: LikelyQuestion): Amounts {
  const { price, floor, nowMs } = question
  const answer = Math.min(floor, likelyAnswer(conversation) ?? floor)
  const worst = amountsAtOutput(elasticCall({ ...spec, price, priceFactor: undefined }), answer)
  const { countedTokens = 0, inputTokens, choices = 1, thinkingBudget = null, cacheMark = 'none' } = spec
  const cached = Math.min(countedTokens, inputTokens)
  if (cached === 0 || !expectsCacheHit(conversation, conversation.thinkingBudget ?? thinkingBudget, nowMs)) return worst
  const usage = completeUsage({
    ...inputAs(cacheMark, inputTokens - cached),
    cacheReadTokens: cached,
    outputTokens: choices * answer,
  })
  const amounts = { ...worst, uncachedTokens: Math.max(0, (worst.uncachedTokens ?? 0) - cached) }
  if (price === null) return amounts
  const { webSearches, fileSearches, media } = spec
  const extras = { webSearches: webSearches ?? 0, fileSearches: fileSearches ?? 0, media }
  return { ...amounts, ...costs(worst, costOf(price, usage, extras)) }
}

/** What is new in a prompt is written to the cache where it has a mark. */
function inputAs(mark: CacheMark, tokens: number): Partial<Usage> {
  if (mark === '5m') return { cacheWriteTokens: tokens }
  return mark === '1h' ? { cacheWrite1hTokens: tokens } : { inputTokens: tokens }
}

/** On `cost` and the meter of its phase, and never above the worst case. */
function costs(worst: Amounts, likely: number): Amounts {
  const meters = ['cost', 'planningCost', 'executionCost'] as const
  return Object.fromEntries(
    meters.flatMap((meter) => {
      const most = worst[meter]
      return most === undefined ? [] : [[meter, Math.min(most, likely)]]
    }),
  )
}
