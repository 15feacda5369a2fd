import type { CountedPrompt } from '../counting/prompt-cache.ts'
import type { TokenRule } from '../counting/token-rule.ts'
import type { ProviderRequest } from '../provider-request.ts'
import type { ProviderTurn } from '../provider-turn.ts'
import type { Answer, AnswerChoice, AnswerToolCall } from './answer.ts'
import { tokensOfCall, wantedOutput } from './wanted-output.ts'

export interface PlanContext {
  readonly serial: string
  readonly createdAtSeconds: number
  readonly rule: TokenRule
  readonly prompt: CountedPrompt
  /** This model's default thinking tokens. */
  readonly reasoningTokens: number
}

/** The answer of this turn within the cap, and its usage. Every choice has the same text. */
export function planAnswer(turn: ProviderTurn, request: ProviderRequest, context: PlanContext): Answer {
  const { rule, prompt } = context
  const choice = choiceOf(turn, request, context)
  const reasoningTokens = choice.thinking?.tokens ?? 0
  const written = reasoningTokens + rule.tokensOf(choice.text) + tokensOfCalls(choice.toolCalls, rule)
  // A call that is cut off is not shown, but its tokens are charged.
  const outputTokens = choice.stop === 'length' ? Math.max(written, request.cap) : written
  return {
    request,
    serial: context.serial,
    createdAtSeconds: context.createdAtSeconds,
    choices: Array.from({ length: request.choices }, () => choice),
    usage: {
      inputTokens: prompt.inputTokens + readAgain(prompt, choice.webSearches, turn.searchTokens),
      cacheReadTokens: prompt.cacheReadTokens,
      cacheWriteTokens: prompt.cacheWriteTokens,
      cacheWrite1hTokens: prompt.cacheWrite1hTokens,
      outputTokens: outputTokens * request.choices,
      reasoningTokens: reasoningTokens * request.choices,
      webSearches: choice.webSearches,
    },
    report: turn.usage ?? 'counted',
  }
}

// The results of a search are part of the prompt of later ones.
function readAgain(prompt: CountedPrompt, searches: number, searchTokens = 2_000): number {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens } = prompt
  const whole = inputTokens + cacheReadTokens + cacheWriteTokens + cacheWrite1hTokens
  return searches * whole + (searchTokens * searches * (searches + 1)) / 2
}

function choiceOf(turn: ProviderTurn, request: ProviderRequest, { rule, reasoningTokens }: PlanContext): AnswerChoice {
  const wanted = wantedOutput(turn, request, rule)
  const cap = turn.ignoresCap ? Number.MAX_SAFE_INTEGER : request.cap
  const thinking = thinkingOf(turn, request, rule, reasoningTokens, cap)
  const room = cap - (thinking?.tokens ?? 0)
  const webSearches = Math.min(turn.webSearches ?? 0, request.maxWebSearches)
  if (turn.fillsCap) {
    return { thinking, webSearches, text: 'x'.repeat(room * rule.bytesPerToken), toolCalls: [], stop: 'length' }
  }
  const text = rule.within(wanted.text, room)
  const toolCalls = callsWithin(wanted.toolCalls, room - rule.tokensOf(text), rule)
  const isCut =
    turn.isCutByCap === true || text.length < wanted.text.length || toolCalls.length < wanted.toolCalls.length
  return {
    thinking,
    webSearches,
    text,
    toolCalls,
    stop: isCut ? 'length' : toolCalls.length > 0 ? 'tool-calls' : 'end',
  }
}

function thinkingOf(
  turn: ProviderTurn,
  { thinking }: ProviderRequest,
  rule: TokenRule,
  habit: number,
  cap: number,
): AnswerChoice['thinking'] {
  if (thinking === null) return null
  const { thinking: text = 'Let me see.' } = turn
  const wanted = turn.thinkingTokens ?? (turn.thinking === undefined ? habit : rule.tokensOf(text))
  const tokens = Math.min(wanted, thinking.budgetTokens, cap)
  return tokens === 0 ? null : { text: rule.within(text, tokens), tokens }
}

// A call that is cut off is dropped.
function callsWithin(calls: readonly AnswerToolCall[], maxTokens: number, rule: TokenRule): readonly AnswerToolCall[] {
  let room = maxTokens
  const end = calls.findIndex((call) => {
    room -= tokensOfCall(call, rule)
    return room < 0
  })
  return end === -1 ? calls : calls.slice(0, end)
}

function tokensOfCalls(calls: readonly AnswerToolCall[], rule: TokenRule): number {
  return calls.reduce((sum, call) => sum + tokensOfCall(call, rule), 0)
}
