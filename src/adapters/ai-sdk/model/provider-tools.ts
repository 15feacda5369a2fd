import { isEnforced, isLimitExceeded } from '../../../core/index.ts'
import type { Reservation, Scope } from '../../../governor/index.ts'
import type { AnswerPart, CallOptions } from './language-model.ts'

type RequestTool = NonNullable<CallOptions['tools']>[number]
type ProviderTool = Extract<RequestTool, { readonly type: 'provider' }>

// Tools that a provider defines and the caller runs: they go through `governedTools` like any other.
const RUN_BY_CALLER = /^(anthropic\.(computer|text_editor|bash|memory)|openai\.(local_shell|shell|apply_patch|custom))/
// Looking tools up is no use of one.
const FREE = /^\w+\.tool_search/
const BOUND_BY_MAX_USES = /^anthropic\.(web_search|web_fetch|advisor)/
const BOUND_BY_MAX_CALLS = /^openai\./
const WEB_SEARCH = /web_search|google_search/

// Where the request names no bound of its own.
const UNNAMED_USES = 5

/** A request whose provider-run tools are bounded, and what was set aside for them. */
export interface BoundedTools {
  readonly options: CallOptions
  readonly webSearches: number
  readonly room: Reservation | null
}

/**
 * Tools that the provider runs are counted like others, but nobody asks us before each: so under a limit of tool calls
 * the request itself bounds them, and so many are reserved. One that cannot be bounded is taken out.
 */
export async function boundProviderTools(scope: Scope, options: CallOptions): Promise<BoundedTools> {
  const providerTools = (options.tools ?? []).filter(isRunByProvider)
  if (providerTools.length === 0) return { options, webSearches: 0, room: null }
  const isLimited = scope.limits().some(({ meter, action }) => meter === 'toolCalls' && isEnforced(action))
  if (!isLimited) return { options, webSearches: searchesIn(providerTools), room: null }
  const bounded = providerTools.filter(isBounded)
  const { toolCalls } = await scope.usage({ path: true })
  const wanted = Math.max(0, ...bounded.map(usesOf))
  const most = Math.min(wanted, toolCalls.remaining ?? wanted)
  const room = most === 0 ? null : await scope.reserve({ toolCalls: most }, { waitMs: 0 })
  if (room === null || !room.granted)
    return { options: withoutTools(options, providerTools), webSearches: 0, room: null }
  const left = withoutTools(
    options,
    providerTools.filter((tool) => !isBounded(tool)),
  )
  return { options: withBound(left, most), webSearches: bounded.some(isSearch) ? most : 0, room }
}

/** How a request ended that its provider may have run tools for. */
export type ProviderEnd = { readonly answer: readonly Pick<AnswerPart, 'type'>[] } | { readonly error: unknown }

/** Counts what the provider ran. */
export async function settleProviderTools(scope: Scope, { room }: BoundedTools, end: ProviderEnd): Promise<void> {
  if ('error' in end) {
    // Refused, it was never sent. After any other error nobody knows how many there were.
    return isLimitExceeded(end.error) ? room?.release() : room?.settle()
  }
  const calls = end.answer.filter(
    (part) => part.type === 'tool-call' && (part as { providerExecuted?: boolean }).providerExecuted === true,
  ).length
  if (room !== null) return room.settle({ toolCalls: calls })
  if (calls === 0) return
  const counted = await scope.reserve({ toolCalls: calls }, { waitMs: 0 }).catch(() => null)
  if (counted?.granted === true) await counted.settle()
}

function isRunByProvider(tool: RequestTool): tool is ProviderTool {
  return tool.type === 'provider' && !RUN_BY_CALLER.test(tool.id) && !FREE.test(tool.id)
}

function isBounded({ id }: ProviderTool): boolean {
  return BOUND_BY_MAX_USES.test(id) || BOUND_BY_MAX_CALLS.test(id)
}

function isSearch({ id }: ProviderTool): boolean {
  return WEB_SEARCH.test(id)
}

function usesOf({ args }: ProviderTool): number {
  const { maxUses } = args
  return typeof maxUses === 'number' && Number.isSafeInteger(maxUses) && maxUses >= 0 ? maxUses : UNNAMED_USES
}

function searchesIn(tools: readonly ProviderTool[]): number {
  return tools.filter(isSearch).reduce((searches, tool) => searches + usesOf(tool), 0)
}

function withoutTools(options: CallOptions, gone: readonly ProviderTool[]): CallOptions {
  if (gone.length === 0) return options
  const { tools = [], toolChoice, ...rest } = options
  const kept = tools.filter((tool) => !gone.some((each) => each === tool))
  if (kept.length === 0) return rest
  return { ...rest, tools: kept, ...(toolChoice === undefined ? {} : { toolChoice }) }
}

function withBound(options: CallOptions, most: number): CallOptions {
  const tools = options.tools?.map((tool) =>
    isRunByProvider(tool) && BOUND_BY_MAX_USES.test(tool.id)
      ? { ...tool, args: { ...tool.args, maxUses: Math.min(usesOf(tool), most) } }
      : tool,
  )
  const isOpenAi = tools?.some((tool) => isRunByProvider(tool) && BOUND_BY_MAX_CALLS.test(tool.id)) === true
  const bounded = { ...options, ...(tools === undefined ? {} : { tools }) }
  if (!isOpenAi) return bounded
  const openai = { ...options.providerOptions?.openai, maxToolCalls: most }
  return { ...bounded, providerOptions: { ...options.providerOptions, openai } }
}
