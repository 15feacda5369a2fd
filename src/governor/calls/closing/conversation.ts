import { addAmount, type Breaches, isAmount, isElasticMeter } from '../../../core/index.ts'
import { SMALLEST_ANSWER, SMALLEST_THINKING, type Usage } from '../../../pricing/index.ts'
import type { ModelCallSpec } from '../../call.ts'

/**
 * What the model calls of a scope have shown of their conversation: how long its answers are, how fast it grows, and
 * whether its prompt is read from a cache. The closing call is chosen by it.
 */
export interface Conversation {
  /** Whether a call of it was granted, so that its closing call is promised. */
  isAdmitted: boolean
  /** The limits that had no room for its first call and a closing call; `null` where there was. */
  turnedAwayBy: Breaches | null
  /** What the last answers have taken, thinking included, the newest last. */
  answers: readonly number[]
  /** The most that was added between an answer and the next prompt lately, as it was counted: results of tools, mostly. */
  addedTokens: number
  /** The prompt and the answer of the last call; `null` before the first. */
  lastTokens: number | null
  /** When the last prompt was read from a cache, on the monotonic clock, and with which thinking budget. */
  cacheHit: { readonly atMs: number; readonly thinkingBudget: number | null } | null
  /** The most that an answer of it has thought. */
  reasoningTokens: number
  /** The thinking budget that was sent last, where it was smaller than the one asked for. */
  thinkingBudget: number | null
}

/** Nothing was asked yet. */
export function beginConversation(): Conversation {
  return {
    isAdmitted: false,
    turnedAwayBy: null,
    answers: [],
    addedTokens: FIRST_ADDED_TOKENS,
    lastTokens: null,
    cacheHit: null,
    reasoningTokens: 0,
    thinkingBudget: null,
  }
}

// A short tool result, before one was seen.
const FIRST_ADDED_TOKENS = 100
// One long result says little about the next: the closing call leaves old results out before it is too long.
const MOST_ADDED_TOKENS = 4_000
// What was seen counts for less with each call that was shorter.
const FADING = 0.9
const MOST_ANSWERS = 16
const CACHE_LIFE_MS = 4 * 60_000

/** What became of a call: the first that no limit refuses admits the conversation. */
export function noteAdmission(conversation: Conversation, refusedBy: Breaches | null): void {
  if (refusedBy === null) {
    conversation.isAdmitted = true
    conversation.turnedAwayBy = null
  } else if (!conversation.isAdmitted && isElasticMeter(refusedBy[0].meter)) {
    conversation.turnedAwayBy = refusedBy
  }
}

/** Whether there is something to close: more than a task that nothing was done about yet. */
export function isBegun({ messages = 0 }: ModelCallSpec): boolean {
  return messages > MESSAGES_OF_A_TASK
}

const MESSAGES_OF_A_TASK = 2

/** What an answer has shown. `cap`: the output cap that it was sent with, `askedCap` the one that was asked for. */
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
  // One that a smaller cap has cut would have been longer, and how much longer is not known.
  const needed = cap < askedCap && outputTokens >= cap ? outputTokens * 2 : outputTokens
  const added = growth(conversation, promptTokens)
  if (added !== null) conversation.addedTokens = Math.max(Math.ceil(conversation.addedTokens * FADING), added)
  conversation.answers = [...conversation.answers.slice(1 - MOST_ANSWERS), needed]
  conversation.lastTokens = addAmount(promptTokens, outputTokens)
  conversation.reasoningTokens = Math.max(conversation.reasoningTokens, reasoningTokens)
  conversation.cacheHit = cacheReadTokens > 0 ? { atMs, thinkingBudget } : null
}

/** What tools will likely add to a prompt of `inputTokens`: as much as they did lately, or in this prompt. */
export function likelyAdded(conversation: Conversation, inputTokens: number): number {
  return Math.max(conversation.addedTokens, growth(conversation, inputTokens) ?? 0)
}

/** By how much a prompt has grown since the last answer; `null` where it does not follow on that. */
function growth({ lastTokens }: Conversation, promptTokens: number): number | null {
  return lastTokens === null || promptTokens < lastTokens
    ? null
    : Math.min(promptTokens - lastTokens, MOST_ADDED_TOKENS)
}

/** Whether the prompt of a call will likely be read from a cache as far as the provider has counted it before. */
export function expectsCacheHit({ cacheHit }: Conversation, thinkingBudget: number | null, nowMs: number): boolean {
  return cacheHit !== null && nowMs - cacheHit.atMs < CACHE_LIFE_MS && cacheHit.thinkingBudget === thinkingBudget
}

/**
 * The output cap below which a call is not made: what the answers of its conversation have needed so far, with a
 * margin. Before the first answer it is that of the kind of model: one that thinks must have room for that.
 */
export function capFloor(conversation: Conversation, spec: ModelCallSpec): number {
  const thinking = thinkingRoom(conversation, spec)
  const likely = likelyAnswer(conversation)
  const least = likely === null ? FIRST_ANSWER + thinking : Math.max(SMALLEST_ANSWER + thinking, likely)
  return Math.min(spec.maxOutputTokens, least)
}

/** Whether a cap that was lowered may well cut an answer: it is not much above those before, or what a first one takes. */
export function isTightCap(conversation: Conversation, spec: ModelCallSpec, cap: number): boolean {
  if (cap >= spec.maxOutputTokens) return false
  const answer = likelyAnswer(conversation) ?? LONG_FIRST_ANSWER
  return cap < Math.max(2 * answer, capFloor(conversation, spec))
}

const LONG_FIRST_ANSWER = 4_096

/** What its answers have needed so far, with a margin; `null` before the first. */
export function likelyAnswer({ answers }: Conversation): number | null {
  if (answers.length === 0) return null
  const longest = Math.max(...answers)
  // The more they differ, the more the next one may.
  const spread = Math.min((longest - Math.min(...answers)) * SPREAD, longest * MOST_SPREAD)
  return Math.ceil(longest * MARGIN + spread) + MARGIN_TOKENS
}

// Long enough for a tool call and a few words about it.
const FIRST_ANSWER = 320
const MARGIN = 1.02
const MARGIN_TOKENS = 16
const SPREAD = 0.5
const MOST_SPREAD = 0.15

/** What an answer must have room for beside its text: the least of thinking, where the model thinks. */
export function thinkingRoom({ answers, reasoningTokens }: Conversation, spec: ModelCallSpec): number {
  const { thinkingBudget = null, smallestThinking = SMALLEST_THINKING } = spec
  if (thinkingBudget !== null) return Math.min(thinkingBudget, smallestThinking)
  if (answers.length === 0) return reasons(spec) ? SMALLEST_THINKING : 0
  return Math.min(SMALLEST_THINKING, Math.ceil(reasoningTokens * MORE_THOUGHT))
}

// A closing answer looks back on the whole conversation.
const MORE_THOUGHT = 2

// Models that think within their output cap without being given a budget for it.
const REASONING_MODEL = /(^|[/.])(o[1-9]|gpt-5|codex|gemini-(2\.5|[3-9])|grok-[4-9])|reason|think/i

function reasons({ model }: ModelCallSpec): boolean {
  return model !== undefined && REASONING_MODEL.test(model)
}

/** The tokens of an answer, as far as a usage says them; a call that says nothing is taken at its cap. */
export function answerTokensOf(usage: Partial<Usage> | null, cap: number): number {
  const told = usage?.outputTokens
  return isAmount(told) ? Math.min(told, cap) : cap
}
