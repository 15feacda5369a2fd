import {
  type Amounts,
  addAmount,
  COUNTER_METERS,
  type ElasticRate,
  type HoldAsk,
  type ReserveHold,
} from '../../../core/index.ts'
import { elasticOf } from '../../../pricing/call/elastic-call.ts'
import type { ResolvedCall } from '../../../pricing/call/model-call.ts'
import {
  amountsAtOutput,
  type CacheMark,
  completeUsage,
  costOf,
  SMALLEST_ANSWER,
  type Usage,
} from '../../../pricing/index.ts'
import type { ModelCallSpec } from '../../call.ts'
import { type Conversation, capFloor, likelyAdded, thinkingRoom } from './conversation.ts'
import { promptAfter, promptIn } from './prompt-in.ts'

// Room for the text of a closing answer, on top of the smallest thinking budget.
const CLOSING_OUTPUT_TOKENS = 1_000
const CACHE_LIFE_MS = 4 * 60_000

/** How a call of a conversation is admitted. */
export interface RoomForClosing {
  /** The call is not made with an output cap below this. */
  readonly floor: number
  readonly hold: ReserveHold
}

/**
 * What a call must leave for the closing call of its conversation, which carries the prompt, the coming answer and the
 * tool results after it. Worst cases decide what may be sent; likely costs decide when to close.
 */
export function roomForClosing(
  conversation: Conversation,
  spec: ModelCallSpec,
  priced: ResolvedCall,
  nowMs: number,
): RoomForClosing {
  const floor = capFloor(conversation, spec)
  const later = addAmount(promptAfter(spec), floor + likelyAdded(conversation, promptIn(spec)))
  const likely = likelyAmounts(conversation, spec, { priced, floor, nowMs })
  const hold = closingHold(conversation, spec, priced, later)
  const longer = Math.max(0, spec.maxOutputTokens - floor)
  const growth: ElasticRate[] = []
  if (longer > 0) {
    const { smallest } = closingHold(conversation, spec, priced, addAmount(later, longer))
    for (const meter of COUNTER_METERS) {
      const numerator = (smallest[meter] ?? 0) - (hold.smallest[meter] ?? 0)
      if (numerator > 0) growth.push({ meter, numerator, denominator: longer })
    }
  }
  return { floor, hold: { ...hold, likely, growth, isFirst: !conversation.isAdmitted } }
}

/** What a closing call costs with a prompt of `inputTokens`: a full one, and the smallest. */
export function closingHold(
  conversation: Conversation,
  spec: ModelCallSpec,
  priced: ResolvedCall,
  inputTokens: number,
): HoldAsk {
  const thinking = thinkingRoom(conversation, spec)
  const bounds = { maxOutputTokens: CLOSING_OUTPUT_TOKENS + thinking, choices: 1, webSearches: 0, fileSearches: 0 }
  const closing = elasticOf({ ...priced, ...bounds, inputTokens })
  return {
    wanted: amountsAtOutput(closing, bounds.maxOutputTokens),
    smallest: amountsAtOutput(closing, SMALLEST_ANSWER + thinking),
  }
}

interface LikelyQuestion {
  readonly priced: ResolvedCall
  readonly floor: number
  readonly nowMs: number
}

/** The worst case, reduced by what a cache will likely save, with an answer as long as earlier ones. */
function likelyAmounts(conversation: Conversation, spec: ModelCallSpec, question: LikelyQuestion): Amounts {
  const { priced, floor, nowMs } = question
  const { price, inputTokens, choices, thinkingBudget, cacheMark, media, webSearches, fileSearches } = priced
  const answer = Math.min(floor, conversation.likelyAnswer ?? floor)
  const worst = amountsAtOutput(elasticOf(priced), answer)
  const cached = Math.min(spec.countedTokens ?? 0, inputTokens)
  const { cacheHit } = conversation
  if (cached === 0 || cacheHit === null || nowMs - cacheHit.atMs >= CACHE_LIFE_MS) return worst
  // Another thinking budget is another prompt to the cache.
  if (cacheHit.thinkingBudget !== (conversation.thinkingBudget ?? thinkingBudget)) return worst
  const usage = completeUsage({
    ...inputAs(cacheMark, inputTokens - cached),
    cacheReadTokens: cached,
    outputTokens: choices * answer,
  })
  const amounts = { ...worst, uncachedTokens: Math.max(0, (worst.uncachedTokens ?? 0) - cached) }
  if (price === null) return amounts
  return { ...amounts, ...costs(worst, costOf(price, usage, { webSearches, fileSearches, media })) }
}

/** New prompt tokens are written to the cache if they carry a cache mark. */
function inputAs(mark: CacheMark, tokens: number): Partial<Usage> {
  if (mark === '5m') return { cacheWriteTokens: tokens }
  return mark === '1h' ? { cacheWrite1hTokens: tokens } : { inputTokens: tokens }
}

/** On `cost` and the cost meter of the phase, never above the worst case. */
function costs(worst: Amounts, likely: number): Amounts {
  const meters = ['cost', 'planningCost', 'executionCost'] as const
  return Object.fromEntries(
    meters.flatMap((meter) => {
      const most = worst[meter]
      return most === undefined ? [] : [[meter, Math.min(most, likely)]]
    }),
  )
}
