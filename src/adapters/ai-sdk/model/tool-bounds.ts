import type { ProviderRunTool } from '../../../governor/edge.ts'
import type { RequestEdits } from '../../../loop/request-view.ts'
import type { CallOptions, ProviderOptions } from './language-model.ts'

type RequestTool = NonNullable<CallOptions['tools']>[number]
type DefinedTool = Extract<RequestTool, { readonly type: 'provider' }>

// Tools that a provider defines and the caller runs: they go through `governedTools` like any other.
const RUN_BY_CALLER =
  /^(?:anthropic\.(?:computer|text_editor|bash|memory|browser)|openai\.(?:local_shell|apply_patch|custom)(?:_|$))/
// Searching the list of tools does not count as using one.
const FREE = /^\w+\.tool_search/
// Those whose `maxUses` bounds all of their cost. An advisor has it too, but runs its own model.
const BOUND_EACH = /^anthropic\.web_(?:search|fetch)/
// `maxToolCalls` bounds them all together. An image has a separate price, which no token bound covers.
const BOUND_TOGETHER = /^openai\.(?:web_search|file_search|code_interpreter|mcp|shell)/
// They run in a container, which is billed by size and minutes.
const IN_CONTAINER = /^openai\.(?:code_interpreter|shell)/
const WEB_SEARCH = /web_search|google_search/
const FILE_SEARCH = /^openai\.file_search/
// What one use brings in can also be bounded (`maxContentTokens`).
const BOUND_CONTENT = /^anthropic\.web_fetch/
const SEARCHING_MODEL = /-search-(?:preview|api)|:online$/
// The keys that OpenAI's provider reads: Azure's before OpenAI's.
const OPENAI_OPTIONS = ['azure', 'openai']

/** A provider-run tool of a request. */
export interface RequestProviderTool extends ProviderRunTool {
  /** Its name in the answer; `null` if it has several. */
  readonly name: string | null
  /** `null`: it is an option of the request rather than one of the tools. */
  readonly tool: DefinedTool | null
  /** The request without it. A tool built into the model stays. */
  takeOut(options: CallOptions): CallOptions
}

/** The provider-run tools of a request: those it lists, and those that come with its options or model. */
export function providerToolsIn(modelId: string, options: CallOptions): readonly RequestProviderTool[] {
  const { tools = [], toolChoice } = options
  const builtIn = SEARCHING_MODEL.test(modelId) ? [BUILT_IN_SEARCH] : []
  if (toolChoice?.type === 'none') return builtIn
  const named = tools.filter(isRunByProvider).map((tool) => readTool(tool, options))
  return options.providerOptions === undefined
    ? [...named, ...builtIn]
    : [...named, ...optionsThatRun(options), ...builtIn]
}

const BUILT_IN_SEARCH: RequestProviderTool = {
  name: null,
  tool: null,
  maxUses: 1,
  isBoundable: true,
  isWebSearch: true,
  isBuiltIn: true,
  takeOut: (options) => options,
}

function readTool(tool: DefinedTool, options: CallOptions): RequestProviderTool {
  const { id, name, args } = tool
  const isBoundTogether = BOUND_TOGETHER.test(id)
  return {
    name,
    tool,
    maxUses: countOr(isBoundTogether ? openAiOption(options, 'maxToolCalls') : args.maxUses),
    isBoundable: isBoundTogether || BOUND_EACH.test(id),
    isBoundTogether,
    isWebSearch: WEB_SEARCH.test(id),
    ...(FILE_SEARCH.test(id) ? { isFileSearch: true } : {}),
    ...(BOUND_CONTENT.test(id) ? { contentTokens: countOr(args.maxContentTokens) } : {}),
    ...(IN_CONTAINER.test(id) ? { hasOwnPrice: true } : {}),
    takeOut: (request) => withoutTool(request, tool),
  }
}

/** Options that let a provider use unlisted tools, which nothing in the request bounds. */
function optionsThatRun({ providerOptions }: CallOptions): readonly RequestProviderTool[] {
  const servers = providerOptions?.anthropic?.mcpServers
  const search = providerOptions?.xai?.searchParameters as { readonly mode?: unknown } | undefined
  const found: RequestProviderTool[] = []
  if (Array.isArray(servers) && servers.length > 0) found.push(ofOption('anthropic', 'mcpServers', false))
  if (typeof search === 'object' && search !== null && search.mode !== 'off') {
    found.push(ofOption('xai', 'searchParameters', true))
  }
  return found
}

function ofOption(provider: string, field: string, isWebSearch: boolean): RequestProviderTool {
  return {
    name: null,
    tool: null,
    maxUses: null,
    isBoundable: false,
    isWebSearch,
    takeOut({ providerOptions, ...options }) {
      const { [field]: _, ...kept } = providerOptions?.[provider] ?? {}
      return { ...options, providerOptions: { ...providerOptions, [provider]: kept } }
    },
  }
}

type ToolEdits = Pick<RequestEdits, 'providerToolUses' | 'providerToolContents' | 'maxProviderCalls'>

/** The request with its tools as planned. A tool built into the model stays. */
export function withToolBounds(
  options: CallOptions,
  tools: readonly (RequestProviderTool & { readonly index: number })[],
  { providerToolUses, providerToolContents, maxProviderCalls }: ToolEdits,
): CallOptions {
  const bounded = tools.reduce((request, tool) => {
    const maxUses = providerToolUses?.get(tool.index)
    if (maxUses === null) return tool.takeOut(request)
    const maxContentTokens = providerToolContents?.get(tool.index)
    return withArgs(request, tool.tool, {
      ...(maxUses === undefined ? {} : { maxUses }),
      ...(maxContentTokens === undefined ? {} : { maxContentTokens }),
    })
  }, options)
  return maxProviderCalls === undefined ? bounded : withMaxToolCalls(bounded, maxProviderCalls)
}

function withArgs(options: CallOptions, tool: DefinedTool | null, args: Readonly<Record<string, number>>): CallOptions {
  if (tool === null || Object.keys(args).length === 0) return options
  const tools = (options.tools ?? []).map((each): RequestTool => {
    return isSameTool(each, tool) ? { ...tool, args: { ...tool.args, ...args } } : each
  })
  return { ...options, tools }
}

function withMaxToolCalls(options: CallOptions, maxToolCalls: number): CallOptions {
  const { providerOptions } = options
  const read = OPENAI_OPTIONS.filter((name) => name === 'openai' || providerOptions?.[name] !== undefined)
  const bounded = read.map((name) => [name, { ...providerOptions?.[name], maxToolCalls }])
  return { ...options, providerOptions: { ...providerOptions, ...Object.fromEntries(bounded) } as ProviderOptions }
}

/** Drops a tool choice if the tool it names, or the last tool, is removed. */
function withoutTool(options: CallOptions, gone: DefinedTool): CallOptions {
  const { tools = [], toolChoice, ...rest } = options
  const kept = tools.filter((tool) => !isSameTool(tool, gone))
  if (kept.length === 0) return rest
  const isMissing = toolChoice?.type === 'tool' && !kept.some(({ name }) => name === toolChoice.toolName)
  return { ...rest, tools: kept, ...(toolChoice === undefined || isMissing ? {} : { toolChoice }) }
}

// By name, which is unique in a request: a tool with a bound is a different object.
function isSameTool(tool: RequestTool, other: DefinedTool): boolean {
  return tool.type === 'provider' && tool.name === other.name && tool.id === other.id
}

function isRunByProvider(tool: RequestTool): tool is DefinedTool {
  if (tool.type !== 'provider' || FREE.test(tool.id)) return false
  return tool.id === 'openai.shell' ? isInContainer(tool) : !RUN_BY_CALLER.test(tool.id)
}

function isInContainer({ args }: DefinedTool): boolean {
  const { type } = (args.environment ?? {}) as { readonly type?: unknown }
  return typeof type === 'string' && type.startsWith('container')
}

function openAiOption({ providerOptions }: CallOptions, field: string): unknown {
  return OPENAI_OPTIONS.map((name) => providerOptions?.[name]?.[field]).find((value) => value !== undefined)
}

function countOr(named: unknown): number | null {
  return typeof named === 'number' && Number.isSafeInteger(named) && named >= 0 ? named : null
}
