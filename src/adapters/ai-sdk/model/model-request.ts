import { hash } from 'node:crypto'
import { createResultKeys } from '../../../loop/hints/result-hints.ts'
import type { PromptPart, PromptParts, ProviderTool, RequestView, ToolResult } from '../../../loop/request-view.ts'
import { digestText } from '../prompt/digest-text.ts'
import { filesIn, promptSize } from '../prompt/prompt-size.ts'
import { resultsIn, resultTextsIn } from '../prompt/tool-results.ts'
import { cacheMarkOf } from './cache-mark-of.ts'
import type { CallOptions, LanguageModelV3, PromptMessage } from './language-model.ts'
import { priceFactorOf } from './price-factor-of.ts'
import { type Thinking, thinkingOf } from './thinking.ts'
import { providerToolsIn, type RequestProviderTool } from './tool-bounds.ts'

/** A request of the AI SDK to a model. */
export interface ModelRequest extends RequestView {
  readonly target: Pick<LanguageModelV3, 'provider' | 'modelId'>
  readonly options: CallOptions
  readonly thinking: Thinking | null
  readonly providerTools: readonly ListedTool[]
}

/** A provider-run tool of a request, with its place in the list. */
export interface ListedTool extends RequestProviderTool, ProviderTool {}

/** Reads what the limits need to know of a request. */
export function modelRequest(target: ModelRequest['target'], options: CallOptions): ModelRequest {
  const { modelId } = target
  const { prompt, toolChoice, responseFormat } = options
  const thinking = thinkingOf(target, options)
  const thinksBesideCap = thinking?.form.isBesideCap === true
  const beside = thinksBesideCap ? thinking.budget : 0
  const providerTools = providerToolsIn(modelId, options).map((tool, index) => ({ ...tool, index }))
  const forcesTool = toolChoice?.type === 'required' || toolChoice?.type === 'tool'
  let read: PromptParts | null = null
  return {
    target,
    options,
    thinking,
    model: modelId,
    messages: prompt.filter(({ role }) => role !== 'system').length,
    maxOutputTokens: options.maxOutputTokens === undefined ? null : options.maxOutputTokens + beside,
    choices: 1,
    thinkingBudget: thinking?.budget ?? null,
    thinksBesideCap,
    cacheMark: cacheMarkOf(options),
    priceFactor: priceFactorOf(modelId, options),
    hasTools: toolChoice?.type !== 'none' && hasClientTools(options, providerTools),
    isFormForced: forcesTool || responseFormat?.type === 'json',
    forcesTool,
    providerTools,
    toolResults: toolResultsIn(prompt),
    newestResults: resultsIn(prompt.at(-1)).length,
    resultTexts: () => resultTextsIn(prompt),
    prompt() {
      read ??= promptParts(options)
      return read
    },
  }
}

function hasClientTools({ tools = [] }: CallOptions, byProvider: readonly RequestProviderTool[]): boolean {
  for (const tool of tools) if (!byProvider.some((each) => each.tool === tool)) return true
  return false
}

function toolResultsIn(prompt: CallOptions['prompt']): readonly ToolResult[] {
  const keyOf = createResultKeys()
  const results: ToolResult[] = []
  for (const message of prompt) {
    for (const { toolCallId } of resultsIn(message)) results.push({ toolCallId, key: keyOf(toolCallId) })
  }
  return results
}

function promptParts(options: CallOptions): PromptParts {
  const system: PromptPart[] = []
  const others: PromptPart[] = []
  for (const message of options.prompt) (message.role === 'system' ? system : others).push(messagePart(message))
  const frame = framePart(options)
  const parts = frame === null ? [...system, ...others] : [...system, frame, ...others]
  return { parts, hasMedia: parts.some(({ media }) => media.length > 0), variant: '' }
}

function messagePart(message: PromptMessage): PromptPart {
  const { role, content } = message
  let hasFiles = false
  if (typeof content !== 'string') for (const part of content) hasFiles ||= 'data' in part
  const written = hasFiles ? digestText(message) : JSON.stringify(message)
  return {
    kind: role === 'tool' ? 'user' : role,
    digest: digestOf(written),
    text: () => promptSize(message).text,
    bytes: written.length,
    get pieces() {
      return promptSize(message).parts
    },
    media: filesIn(message),
  }
}

/** What precedes the messages: the tools, and the schema of the answer. */
function framePart({ tools = [], responseFormat }: CallOptions): PromptPart | null {
  const schema = responseFormat?.type === 'json' ? JSON.stringify(responseFormat.schema ?? {}) : ''
  if (tools.length === 0 && schema === '') return null
  const text = `${tools.length === 0 ? '' : JSON.stringify(tools)}${schema}`
  const definedTools: string[] = []
  for (const tool of tools) if (tool.type === 'provider') definedTools.push(tool.id.replace(/^\w+\./, ''))
  return {
    kind: 'tools',
    digest: digestOf(text),
    text: () => text,
    bytes: text.length,
    pieces: tools.length + 1,
    media: [],
    tools: { toolCount: tools.length, definedTools },
  }
}

// Shorter texts are used directly.
const LONGEST_UNDIGESTED = 64

function digestOf(text: string): string {
  return text.length <= LONGEST_UNDIGESTED ? text : hash('sha256', text, 'base64')
}
