import { addAmount, type Breaches, isElasticMeter } from '../../../core/index.ts'
import { SMALLEST_ANSWER, SMALLEST_THINKING } from '../../../pricing/index.ts'
import type { ModelCallSpec } from '../../call.ts'

/**
 * What the model calls of a scope reveal about their conversation: how long answers are, how fast the prompt grows, and
 * whether it is read from a cache. Used to choose the closing call.
 */
export interface Conversation {
  /** Whether one of its calls was granted, which promises it a closing call. */
  isAdmitted: boolean
  /** The limits that had no room for its first call plus a closing call; `null` if there was room. */
  turnedAwayBy: Breaches | null
  /** Output tokens of the latest answers, including thinking, newest last. */
  answers: readonly number[]
  /** What they needed, plus a margin; `null` before the first. */
  likelyAnswer: number | null
  /** The most tokens recently added between an answer and the next prompt, as counted: mostly tool results. */
  addedTokens: number
  /** Prompt plus answer of the last call; `null` before the first. */
  lastTokens: number | null
  /** When the last prompt was read from a cache (monotonic clock), and with which thinking budget. */
  cacheHit: { readonly atMs: number; readonly thinkingBudget: number | null } | null
  /** The most thinking tokens in any of its answers. */
  reasoningTokens: number
  /** The last thinking budget sent, if it was smaller than requested. */
  thinkingBudget: number | null
}

/** A conversation before its first call. */
export function beginConversation(): Conversation {
  return {
    isAdmitted: false,
    turnedAwayBy: null,
    answers: [],
    likelyAnswer: null,
    addedTokens: FIRST_ADDED_TOKENS,
    lastTokens: null,
    cacheHit: null,
    reasoningTokens: 0,
    thinkingBudget: null,
  }
}

// A short tool result, until one has been seen.
const FIRST_ADDED_TOKENS = 100
// One long result says little about the next: the closing call drops old results before it gets too long.
const MOST_ADDED_TOKENS = 4_000
// A maximum decays with each shorter call.
const FADING = 0.9
const MOST_ANSWERS = 16
const MARGIN = 1.02
const MARGIN_TOKENS = 16
// The more answers vary, the wider the margin.
const SPREAD = 0.5
const MOST_SPREAD = 0.15

/** Records whether a call was admitted: the first one that is admits the conversation. */
export function noteAdmission(conversation: Conversation, refusedBy: Breaches | null): void {
  if (refusedBy === null) {
    conversation.isAdmitted = true
    conversation.turnedAwayBy = null
  } else if (!conversation.isAdmitted && isElasticMeter(refusedBy[0].meter)) {
    conversation.turnedAwayBy = refusedBy
  }
}

/** Whether there is anything to close: more than a task that has not been worked on. */
export function isBegun({ messages = 0 }: ModelCallSpec): boolean {
  return messages > MESSAGES_OF_A_TASK
}

const MESSAGES_OF_A_TASK = 2

/** Records an answer. `cap`: the output cap it was sent with; `askedCap`: the one requested. */
export function noteAnswer(
  conversation: Conversation,
  answer: {
    readonly promptTokens: number
    readonly outputTokens: number
    readonly cap: number
    readonly askedCap: number
    readonly cacheReadTokens: number
    readonly reasoningTokens: number
    readonly thinkingBudget: number | null
    readonly atMs: number
  },
): void {
  const { promptTokens, outputTokens, cap, askedCap, cacheReadTokens, reasoningTokens, thinkingBudget, atMs } = answer
  // An answer truncated by a lowered cap would have been longer, by an unknown amount.
  const needed = cap < askedCap && outputTokens >= cap ? outputTokens * 2 : outputTokens
  const added = growth(conversation, promptTokens)
  if (added !== null) conversation.addedTokens = Math.max(Math.ceil(conversation.addedTokens * FADING), added)
  conversation.answers = [...conversation.answers.slice(1 - MOST_ANSWERS), needed]
  const longest = Math.max(...conversation.answers)
  const spread = Math.min((longest - Math.min(...conversation.answers)) * SPREAD, longest * MOST_SPREAD)
  conversation.likelyAnswer = Math.ceil(longest * MARGIN + spread) + MARGIN_TOKENS
  conversation.lastTokens = addAmount(promptTokens, outputTokens)
  conversation.reasoningTokens = Math.max(conversation.reasoningTokens, reasoningTokens)
  conversation.cacheHit = cacheReadTokens > 0 ? { atMs, thinkingBudget } : null
}

/** What tools will likely add to a prompt of `inputTokens`: as much as recently, or as in this prompt. */
export function likelyAdded(conversation: Conversation, inputTokens: number): number {
  return Math.max(conversation.addedTokens, growth(conversation, inputTokens) ?? 0)
}

/** How much a prompt has grown since the last answer; `null` if it does not follow from it. */
function growth({ lastTokens }: Conversation, promptTokens: number): number | null {
  return lastTokens === null || promptTokens < lastTokens
    ? null
    : Math.min(promptTokens - lastTokens, MOST_ADDED_TOKENS)
}

/**
 * The lowest output cap worth sending: what the conversation's answers have needed so far, plus a margin. Before the
 * first answer it depends on the kind of model: one that thinks needs room for that.
 */
export function capFloor(conversation: Conversation, spec: ModelCallSpec): number {
  const thinking = thinkingRoom(conversation, spec)
  const { likelyAnswer } = conversation
  const least = likelyAnswer === null ? FIRST_ANSWER + thinking : Math.max(SMALLEST_ANSWER + thinking, likelyAnswer)
  return Math.min(spec.maxOutputTokens, least)
}

// Long enough for a tool call and a few words about it.
const FIRST_ANSWER = 320

/** Whether a lowered cap may truncate the answer: it is not much above earlier answers, or a typical first one. */
export function isTightCap(conversation: Conversation, spec: ModelCallSpec, cap: number): boolean {
  const answer = conversation.likelyAnswer ?? LONG_FIRST_ANSWER
  return cap < Math.max(2 * answer, capFloor(conversation, spec))
}

const LONG_FIRST_ANSWER = 4_096

/** What an answer needs besides its text: the minimum of thinking, if the model thinks. */
export function thinkingRoom({ answers, reasoningTokens }: Conversation, spec: ModelCallSpec): number {
  const { thinkingBudget = null, smallestThinking = SMALLEST_THINKING } = spec
  if (thinkingBudget !== null) return Math.min(thinkingBudget, smallestThinking)
  if (answers.length === 0) return reasons(spec) ? SMALLEST_THINKING : 0
  return Math.min(SMALLEST_THINKING, Math.ceil(reasoningTokens * MORE_THOUGHT))
}

// A closing answer looks back on the whole conversation.
const MORE_THOUGHT = 2

// Models that think within their output cap without a thinking budget.
const REASONING_MODEL = /(^|[/.])(o[1-9]|gpt-5|codex|gemini-(2\.5|[3-9])|grok-[4-9])|reason|think/i

function reasons({ model }: ModelCallSpec): boolean {
  return model !== undefined && REASONING_MODEL.test(model)
}
