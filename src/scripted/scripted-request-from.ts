import type { LanguageModel } from 'ai'
import type { ScriptedFile, ScriptedMessage, ScriptedRequest } from './scripted-types.ts'

type LanguageModelV3 = Extract<LanguageModel, { readonly specificationVersion: 'v3' }>
type CallOptions = Parameters<LanguageModelV3['doGenerate']>[0]
type PromptMessage = CallOptions['prompt'][number]

/** A request of the AI SDK in a provider-neutral form. */
export function scriptedRequestFrom(options: CallOptions): ScriptedRequest {
  const { prompt, tools, toolChoice, maxOutputTokens } = options
  const budgetTokens = thinkingBudgetOf(options)
  const hasTools = tools !== undefined && tools.length > 0
  const choice = toolChoice?.type === 'tool' ? 'required' : toolChoice?.type
  return {
    messages: prompt.flatMap(messagesFrom),
    ...(hasTools ? { tools: tools.map((tool) => ({ ...tool })) } : {}),
    ...(hasTools && choice !== undefined ? { toolChoice: choice } : {}),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens: maxOutputTokens + (budgetTokens ?? 0) }),
    ...(budgetTokens === null ? {} : { thinking: { budgetTokens } }),
    ...webSearchesOf(options),
  }
}

/** How often the request's web search may run: its own bound, as Anthropic's has, or unbounded. */
function webSearchesOf({ tools = [] }: CallOptions): Pick<ScriptedRequest, 'maxWebSearches'> {
  const search = tools.find((tool) => tool.type === 'provider' && /\.web_search/.test(tool.id))
  if (search?.type !== 'provider') return {}
  const { maxUses } = search.args
  return { maxWebSearches: typeof maxUses === 'number' ? maxUses : Number.MAX_SAFE_INTEGER }
}

// The default of Anthropic's provider when thinking is enabled without a budget.
const UNNAMED_BUDGET = 1_024

function thinkingBudgetOf({ providerOptions }: CallOptions): number | null {
  const thinking = providerOptions?.anthropic?.thinking as { type?: string; budgetTokens?: number } | undefined
  return thinking?.type === 'enabled' ? (thinking.budgetTokens ?? UNNAMED_BUDGET) : null
}

function messagesFrom(message: PromptMessage): readonly ScriptedMessage[] {
  if (message.role === 'system') return [{ role: 'system', content: message.content }]
  if (message.role === 'user') return [{ role: 'user', content: textOf(message.content), ...filesOf(message.content) }]
  if (message.role === 'tool') {
    return message.content.flatMap((part) =>
      part.type === 'tool-result'
        ? [{ role: 'tool' as const, toolCallId: part.toolCallId, content: outputText(part.output) }]
        : [],
    )
  }
  // Tools that the provider ran itself need no result from us.
  const toolCalls = message.content.flatMap((part) =>
    part.type === 'tool-call' && part.providerExecuted !== true
      ? [{ id: part.toolCallId, name: part.toolName, arguments: part.input }]
      : [],
  )
  return [{ role: 'assistant', content: textOf(message.content), ...(toolCalls.length === 0 ? {} : { toolCalls }) }]
}

function filesOf(parts: readonly object[]): { readonly files?: readonly ScriptedFile[] } {
  const files = parts.flatMap((part) =>
    'mediaType' in part && typeof part.mediaType === 'string' ? [{ mediaType: part.mediaType }] : [],
  )
  return files.length === 0 ? {} : { files }
}

function textOf(parts: readonly object[]): string {
  return parts.map((part) => ('text' in part && typeof part.text === 'string' ? part.text : '')).join('')
}

function outputText(output: object): string {
  const { value, reason = '' } = output as { readonly value?: unknown; readonly reason?: string }
  if (typeof value === 'string') return value
  return Array.isArray(value) ? textOf(value) : (JSON.stringify(value) ?? reason)
}
