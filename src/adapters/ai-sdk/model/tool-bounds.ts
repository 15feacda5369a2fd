import type { CallOptions } from './language-model.ts'

type RequestTool = NonNullable<CallOptions['tools']>[number]
type ProviderTool = Extract<RequestTool, { readonly type: 'provider' }>

// Tools that a provider defines and the caller runs: they go through `governedTools` like any other.
const RUN_BY_CALLER = /^(anthropic\.(computer|text_editor|bash|memory)|openai\.(local_shell|shell|apply_patch|custom))/
// Looking tools up is no use of one.
const FREE = /^\w+\.tool_search/
const BOUND_EACH = /^anthropic\.(web_search|web_fetch|advisor)/
const BOUND_TOGETHER = /^openai\./
const WEB_SEARCH = /web_search|google_search/

// Where the request names no bound of its own.
const UNNAMED_USES = 5

/** A bound that a request has on tools which its provider runs: on one of them, or on several together. */
export interface ToolBound {
  readonly tools: readonly ProviderTool[]
  readonly uses: number
}

/** The tools of a request that its provider runs, by their bounds; those in `unbounded` cannot have any. */
export interface ProviderTools {
  readonly bounds: readonly ToolBound[]
  readonly unbounded: readonly ProviderTool[]
}

export function providerToolsIn(options: CallOptions): ProviderTools {
  const tools = (options.tools ?? []).filter(isRunByProvider)
  const together = tools.filter(({ id }) => BOUND_TOGETHER.test(id))
  const each = tools.filter(({ id }) => BOUND_EACH.test(id))
  const bounds = each.map((tool) => ({ tools: [tool], uses: usesOr(tool.args.maxUses) }))
  const shared = { tools: together, uses: usesOr(options.providerOptions?.openai?.maxToolCalls) }
  return {
    bounds: together.length === 0 ? bounds : [...bounds, shared],
    unbounded: tools.filter((tool) => !each.includes(tool) && !together.includes(tool)),
  }
}

export function usesIn(bounds: readonly ToolBound[]): number {
  return bounds.reduce((uses, bound) => uses + bound.uses, 0)
}

/** Whether a bound is one on web searches. */
export function maySearch({ tools }: ToolBound): boolean {
  return tools.some(isSearch)
}

/** The most web searches that tools may make; one without a bound is taken to make as many as one that names none. */
export function mostSearches({ bounds, unbounded }: ProviderTools): number {
  return usesIn(bounds.filter(maySearch)) + unbounded.filter(isSearch).length * UNNAMED_USES
}

/** Bounds that together allow `most` uses: the first has as many as it asks for, those behind it what is left. */
export function cutBounds(bounds: readonly ToolBound[], most: number): readonly ToolBound[] {
  let left = most
  return bounds.map((bound) => {
    const uses = Math.min(bound.uses, left)
    left -= uses
    return { ...bound, uses }
  })
}

/** The request with these bounds on its tools. */
export function withBounds(options: CallOptions, bounds: readonly ToolBound[]): CallOptions {
  if (bounds.length === 0) return options
  const tools = (options.tools ?? []).map((tool): RequestTool => {
    const bound = bounds.find((each) => each.tools.some((held) => held === tool))
    if (bound === undefined || tool.type !== 'provider' || !BOUND_EACH.test(tool.id)) return tool
    return { ...tool, args: { ...tool.args, maxUses: bound.uses } }
  })
  const shared = bounds.find((bound) => bound.tools.some(({ id }) => BOUND_TOGETHER.test(id)))
  return { ...(shared === undefined ? options : withMaxToolCalls(options, shared.uses)), tools }
}

function withMaxToolCalls(options: CallOptions, maxToolCalls: number): CallOptions {
  const openai = { ...options.providerOptions?.openai, maxToolCalls }
  return { ...options, providerOptions: { ...options.providerOptions, openai } }
}

/** The request without some of its tools. A choice that names one of them, or where none is left, is gone with them. */
export function withoutTools(options: CallOptions, gone: readonly RequestTool[]): CallOptions {
  const { tools = [], toolChoice, ...rest } = options
  const kept = tools.filter((tool) => !gone.includes(tool))
  if (kept.length === 0) return rest
  const isMissing = toolChoice?.type === 'tool' && !kept.some(({ name }) => name === toolChoice.toolName)
  return { ...rest, tools: kept, ...(toolChoice === undefined || isMissing ? {} : { toolChoice }) }
}

function isRunByProvider(tool: RequestTool): tool is ProviderTool {
  return tool.type === 'provider' && !RUN_BY_CALLER.test(tool.id) && !FREE.test(tool.id)
}

/** Whether a tool searches the web: providers take a fee for each. */
export function isSearch({ id }: ProviderTool): boolean {
  return WEB_SEARCH.test(id)
}

function usesOr(named: unknown): number {
  return typeof named === 'number' && Number.isSafeInteger(named) && named >= 0 ? named : UNNAMED_USES
}
