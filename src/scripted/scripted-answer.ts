import { completeUsage, type Usage } from '../pricing/index.ts'
import type { ScriptedAnswer, ScriptedRequest, ScriptedToolCall, ScriptedTurn } from './scripted-types.ts'

const CHARACTERS_PER_TOKEN = 4

type ToolCalls = readonly ScriptedToolCall[]

/** What the model writes at this turn within its cap, and what it really used. */
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
  const billed = completeUsage({ inputTokens: inputTokensOf(request), outputTokens, reasoningTokens })
  return {
    answer: {
      text,
      toolCalls,
      usage: reportedUsage(turn, billed),
      stop: isCut ? 'length' : toolCalls.length > 0 ? 'tool-calls' : 'end',
    },
    billed,
  }
}

/** The tokens of a request, by the model's own count: one for every four characters, begun ones included. */
export function inputTokensOf({ messages, tools = [] }: ScriptedRequest): number {
  return messages.reduce(
    (sum, message) =>
      sum + tokensOf(message.content) + tokensOfCalls(message.role === 'assistant' ? (message.toolCalls ?? []) : []),
    tools.length === 0 ? 0 : tokensOf(JSON.stringify(tools)),
  )
}

function wantedOutput(turn: ScriptedTurn, request: ScriptedRequest, createCallId: () => string) {
  const { text = '' } = turn
  const toolCalls = (turn.toolCalls ?? []).map((call) => ({ ...call, id: call.id ?? createCallId() }))
  const hasTools = (request.tools?.length ?? 0) > 0
  // Measured at a real one: a conversation with tool calls, sent without the tools, is answered with nothing.
  if (!hasTools && hasToolCalls(request)) return { text: '', toolCalls: [] }
  if (hasTools && request.toolChoice !== 'none') return { text, toolCalls }
  return { text: turn.strayMarkup ? text + toolCalls.map(markupOf).join('') : text, toolCalls: [] }
}

function hasToolCalls({ messages }: ScriptedRequest): boolean {
  return messages.some((message) => message.role === 'assistant' && (message.toolCalls?.length ?? 0) > 0)
}

function markupOf(call: ScriptedToolCall): string {
  return `<tool_call>${JSON.stringify({ name: call.name, arguments: call.arguments })}</tool_call>`
}

// A call that is cut in the middle is no call.
function callsWithin(calls: ToolCalls, maxTokens: number): ToolCalls {
  const end = calls.findIndex((_, index) => tokensOfCalls(calls.slice(0, index + 1)) > maxTokens)
  return end === -1 ? calls : calls.slice(0, end)
}

// What the turn says, over what was really used.
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
