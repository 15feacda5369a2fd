import { completeUsage, type Usage } from '../pricing/index.ts'
import type {
  ScriptedAnswer,
  ScriptedMessage,
  ScriptedRequest,
  ScriptedToolCall,
  ScriptedTurn,
} from './scripted-types.ts'

const CHARACTERS_PER_TOKEN = 4
// Independent of its content.
const TOKENS_PER_FILE = 1_500

type ToolCalls = readonly ScriptedToolCall[]

/** The model's answer at this turn, within its cap, and the usage that is billed. */
export function scriptedAnswer(
  turn: ScriptedTurn,
  request: ScriptedRequest,
  options: { readonly maxOutputTokens: number; readonly createCallId: () => string },
): { readonly answer: ScriptedAnswer; readonly billed: Usage } {
  const cap = turn.ignoreCap ? Number.POSITIVE_INFINITY : (request.maxOutputTokens ?? options.maxOutputTokens)
  const wanted = wantedOutput(turn, request, options.createCallId)
  const reasoningTokens = Math.min(turn.thinkingTokens ?? 0, request.thinking?.budgetTokens ?? 0, cap)
  const text = wanted.text.slice(0, (cap - reasoningTokens) * CHARACTERS_PER_TOKEN)
  const toolCalls = callsWithin(wanted.toolCalls, cap - reasoningTokens - tokensOf(text))
  const isCut = text.length < wanted.text.length || toolCalls.length < wanted.toolCalls.length
  const outputTokens = reasoningTokens + tokensOf(text) + tokensOfCalls(toolCalls)
  const webSearches = request.toolChoice === 'none' ? 0 : Math.min(turn.webSearches ?? 0, request.maxWebSearches ?? 0)
  const inputTokens = tokensRead(inputTokensOf(request), webSearches, turn.searchTokens)
  const billed = completeUsage({ inputTokens, outputTokens, reasoningTokens })
  const answer: ScriptedAnswer = {
    text,
    toolCalls,
    usage: reportedUsage(turn, billed),
    stop: isCut ? 'length' : toolCalls.length > 0 ? 'tool-calls' : 'end',
    webSearches,
    breaksOff: false,
  }
  return { answer: turn.breaksOff === true ? brokenOff(answer) : answer, billed }
}

// The tool calls and the usage would have come later.
function brokenOff(answer: ScriptedAnswer): ScriptedAnswer {
  const text = answer.text.slice(0, Math.ceil(answer.text.length / 2))
  return { ...answer, text, toolCalls: [], usage: null, breaksOff: true }
}

/** The prompt is read once, and again after each search together with all results so far. */
function tokensRead(promptTokens: number, searches: number, searchTokens = 2_000): number {
  return promptTokens * (searches + 1) + (searchTokens * searches * (searches + 1)) / 2
}

/** The tokens of a request, by the model's own count: one per four characters, rounded up. */
export function inputTokensOf({ messages, tools = [] }: ScriptedRequest): number {
  return messages.reduce(
    (sum, message) => sum + tokensOfMessage(message),
    tools.length === 0 ? 0 : tokensOf(JSON.stringify(tools)),
  )
}

function tokensOfMessage(message: ScriptedMessage): number {
  const text = tokensOf(message.content)
  if (message.role === 'assistant') return text + tokensOfCalls(message.toolCalls ?? [])
  return message.role === 'user' ? text + (message.files ?? []).length * TOKENS_PER_FILE : text
}

function wantedOutput(turn: ScriptedTurn, request: ScriptedRequest, createCallId: () => string) {
  const { text = '' } = turn
  const toolCalls = (turn.toolCalls ?? []).map((call) => ({ ...call, id: call.id ?? createCallId() }))
  const hasTools = (request.tools?.length ?? 0) > 0
  // As measured on a real model: a conversation with tool calls, sent without tools, gets an empty answer.
  if (!hasTools && hasToolCalls(request) && turn.answersWithoutTools !== true) return { text: '', toolCalls: [] }
  if (hasTools && request.toolChoice !== 'none') return { text, toolCalls }
  return { text: turn.strayMarkup ? text + toolCalls.map(markupOf).join('') : text, toolCalls: [] }
}

function hasToolCalls({ messages }: ScriptedRequest): boolean {
  return messages.some((message) => message.role === 'assistant' && (message.toolCalls?.length ?? 0) > 0)
}

function markupOf(call: ScriptedToolCall): string {
  return `<tool_call>${JSON.stringify({ name: call.name, arguments: call.arguments })}</tool_call>`
}

// A call that is cut off is dropped.
function callsWithin(calls: ToolCalls, maxTokens: number): ToolCalls {
  const end = calls.findIndex((_, index) => tokensOfCalls(calls.slice(0, index + 1)) > maxTokens)
  return end === -1 ? calls : calls.slice(0, end)
}

// The turn's usage overrides what is billed.
function reportedUsage(turn: ScriptedTurn, billed: Usage): Usage | null {
  if (turn.usage === null) return null
  return { ...billed, ...turn.usage }
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

function tokensOfCalls(calls: ToolCalls): number {
  return calls.reduce((sum, call) => sum + tokensOf(call.name + JSON.stringify(call.arguments ?? null)), 0)
}
