import type { TokenRule } from '../counting/token-rule.ts'
import type { OfferedTool, ProviderRequest } from '../provider-request.ts'
import type { ProviderToolCall, ProviderTurn } from '../provider-turn.ts'
import type { AnswerToolCall } from './answer.ts'
import { exampleOfSchema } from './example-of-schema.ts'

export interface WantedOutput {
  readonly text: string
  readonly toolCalls: readonly AnswerToolCall[]
}

/** What the model would write without a cap: the turn, as far as the request allows. */
export function wantedOutput(turn: ProviderTurn, request: ProviderRequest, rule: TokenRule): WantedOutput {
  const wanted = outputOf(turn, request)
  // A structured answer is complete, and an empty one stays empty.
  const isFree = request.schema === null && (wanted.text !== '' || wanted.toolCalls.length > 0)
  return turn.outputTokens === undefined || !isFree ? wanted : drawnOut(wanted, turn.outputTokens, rule)
}

/** The tokens of a call: its name and its arguments. */
export function tokensOfCall(call: { readonly name: string; readonly arguments: string }, rule: TokenRule): number {
  return rule.tokensOf(call.name) + rule.tokensOf(call.arguments)
}

// Words, so that clients see nothing but text.
function drawnOut({ text, toolCalls }: WantedOutput, outputTokens: number, rule: TokenRule): WantedOutput {
  const textTokens = outputTokens - toolCalls.reduce((sum, call) => sum + tokensOfCall(call, rule), 0)
  if (rule.tokensOf(text) >= textTokens) return { text, toolCalls }
  const bytes = textTokens * rule.bytesPerToken - Buffer.byteLength(text)
  return { text: text + ' and so on'.repeat(Math.ceil(bytes / ' and so on'.length)).slice(0, bytes), toolCalls }
}

function outputOf(turn: ProviderTurn, request: ProviderRequest): WantedOutput {
  const asked = (turn.toolCalls ?? []).map((call) => callOf(call, request.tools))
  // As measured on a real model: a conversation with tool calls, sent without tools, gets an empty answer.
  if (request.toolRounds > 0 && request.tools.length === 0 && !turn.answersWithoutTools)
    return { text: '', toolCalls: [] }
  if (turn.disobeys) return { text: turn.text ?? '', toolCalls: asked }
  if (!request.mayCallTools) {
    const markup = turn.strayMarkup ? asked.map(markupOf).join('') : ''
    return { text: textInForm(turn, request) + markup, toolCalls: [] }
  }
  const { allowedTools } = request
  const allowed = allowedTools === null ? asked : asked.filter(({ name }) => allowedTools.includes(name))
  const calls = forcedCalls(allowed, request)
  const toolCalls = request.isParallel ? calls : calls.slice(0, 1)
  return { text: toolCalls.length > 0 ? (turn.text ?? '') : textInForm(turn, request), toolCalls }
}

function callOf(call: ProviderToolCall, tools: readonly OfferedTool[]): AnswerToolCall {
  const kind = tools.find(({ name }) => name === call.name)?.kind ?? 'function'
  const isPlain = kind === 'custom' && typeof call.arguments === 'string'
  const written = isPlain ? (call.arguments as string) : JSON.stringify(call.arguments ?? {})
  return { id: call.id ?? null, name: call.name, kind, arguments: written }
}

// A request that forces a tool gets a call, with made-up arguments if the script has none.
function forcedCalls(calls: readonly AnswerToolCall[], request: ProviderRequest): readonly AnswerToolCall[] {
  const { toolChoice, tools } = request
  if (toolChoice === 'auto' || toolChoice === 'none') return calls
  const name = toolChoice === 'required' ? (calls[0]?.name ?? tools[0]?.name) : toolChoice.name
  const fitting = toolChoice === 'required' ? calls : calls.filter((call) => call.name === name)
  if (fitting.length > 0 || name === undefined) return fitting
  const schema = tools.find((tool) => tool.name === name)?.schema ?? {}
  return [callOf({ name, arguments: exampleOfSchema(schema) }, tools)]
}

function textInForm({ text = '' }: ProviderTurn, { schema }: ProviderRequest): string {
  return schema === null || isJson(text) ? text : JSON.stringify(exampleOfSchema(schema))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function markupOf(call: AnswerToolCall): string {
  return `<tool_call>{"name":${JSON.stringify(call.name)},"arguments":${call.arguments}}</tool_call>`
}
