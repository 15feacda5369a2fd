import { type CountedCalls, planProviderTools, runsAgent } from '../../../governor/index.ts'
import type { AgentLoop } from '../agent-loop.ts'
import { digestText } from '../prompt/prompt-digests.ts'
import type { AnswerPart, CallOptions } from './language-model.ts'
import type { ModelRequest } from './model-request.ts'
import { providerToolsIn, type RequestProviderTool, withPlan } from './tool-bounds.ts'

/** A request whose provider-run tools are bounded, with what is reserved for them. */
export interface BoundedRequest {
  readonly request: ModelRequest
  /** The tools that are still in it. */
  readonly tools: readonly RequestProviderTool[]
  /** The closing form of the request, which lists what the requests before it did: none of it may be used. */
  bound(options: CallOptions): CallOptions
}

/** Bounds the tools that the provider runs by the limits of the scope. */
export async function boundProviderTools(
  { scope, listedTools }: Pick<AgentLoop, 'scope' | 'listedTools'>,
  request: ModelRequest,
  allowsUnbounded: boolean,
): Promise<BoundedRequest> {
  const { options, spec } = request
  const tools = providerToolsIn(spec.model ?? '', options)
  if (tools.length === 0) return { request, tools, bound: (other) => other }
  const hasOwnTools = options.toolChoice?.type !== 'none' && hasClientTools(options, tools)
  const conversation = conversationOf(options, tools, runsAgent(scope) && hasOwnTools)
  const before = listedTools.get(conversation) ?? null
  const planned = await planProviderTools(scope, spec, {
    tools,
    hasClientTools: hasOwnTools,
    allowsUnbounded,
    listed: before,
  })
  const { toolCalls, webSearches, fileSearches, reading, listed } = planned
  if (listed !== null) listedTools.set(conversation, listed)
  return {
    request: {
      ...request,
      options: withPlan(options, tools, planned),
      spec: {
        ...spec,
        ...(reading.tokens === 0 ? {} : { inputTokens: spec.inputTokens + reading.tokens, providerReading: reading }),
        ...(toolCalls === 0 ? {} : { toolCalls }),
        ...(webSearches === 0 ? {} : { webSearches }),
        ...(fileSearches === 0 ? {} : { fileSearches }),
      },
    },
    tools: tools.filter((_, place) => planned.uses[place] !== null),
    bound: (other) => withPlan(other, tools, { ...planned, ...before }),
  }
}

/** What stands for the conversation. Where many share a scope, the first message tells them apart. */
function conversationOf({ prompt }: CallOptions, tools: readonly RequestProviderTool[], isOfOne: boolean): string {
  const list = tools.map(({ name, tool }) => [name, tool?.id, tool?.args])
  return digestText([list, isOfOne ? null : prompt.find(({ role }) => role === 'user')])
}

function hasClientTools({ tools = [] }: CallOptions, byProvider: readonly RequestProviderTool[]): boolean {
  return tools.some((tool) => !byProvider.some((each) => each.tool === tool))
}

/**
 * What an answer shows of the tools that its provider ran. Searches of one without a bound, and of a model that brings
 * its own, are not in every provider's answers: they are taken to be at least as many as were reserved.
 */
export function countProviderCalls(
  { request, tools }: Pick<BoundedRequest, 'request' | 'tools'>,
  answer: readonly AnswerPart[],
): Required<CountedCalls> {
  const calls = answer.filter(isRunByProvider)
  const others = tools.filter(({ isWebSearch }) => !isWebSearch).map(({ name }) => name)
  const searching = tools.filter(({ isWebSearch }) => isWebSearch)
  const shown = searching.length === 0 ? 0 : calls.filter(({ toolName }) => !others.includes(toolName)).length
  const isUnseen = searching.some(({ isBoundable, isBuiltIn }) => !isBoundable || isBuiltIn === true)
  const webSearches = isUnseen ? Math.max(shown, request.spec.webSearches ?? 0) : shown
  const inFiles = tools.filter(({ isFileSearch }) => isFileSearch === true).map(({ name }) => name)
  const fileSearches = calls.filter(({ toolName }) => inFiles.includes(toolName)).length
  return { toolCalls: calls.length, webSearches, fileSearches }
}

function isRunByProvider(part: AnswerPart): part is Extract<AnswerPart, { readonly type: 'tool-call' }> {
  return part.type === 'tool-call' && part.providerExecuted === true
}
