import { type CountedCalls, planProviderTools, type Scope } from '../../../governor/index.ts'
import type { AnswerPart, CallOptions } from './language-model.ts'
import type { ModelRequest } from './model-request.ts'
import { providerToolsIn, type RequestProviderTool, withPlan } from './tool-bounds.ts'

/** A request whose provider-run tools are bounded, with what is reserved for them. */
export interface BoundedRequest {
  readonly request: ModelRequest
  /** The tools that are still in it. */
  readonly tools: readonly RequestProviderTool[]
  /** The same changes on another form of the request. */
  bound(options: CallOptions): CallOptions
}

/** Bounds the tools that the provider runs by the limits of the scope. */
export async function boundProviderTools(
  scope: Scope,
  request: ModelRequest,
  allowsUnbounded: boolean,
): Promise<BoundedRequest> {
  const { options, spec } = request
  const tools = providerToolsIn(spec.model ?? '', options)
  if (tools.length === 0) return { request, tools, bound: (other) => other }
  const planned = await planProviderTools(scope, spec, {
    tools,
    hasClientTools: options.toolChoice?.type !== 'none' && hasClientTools(options, tools),
    allowsUnbounded,
  })
  const { toolCalls, webSearches, fileSearches, inputTokens } = planned
  const bound = (other: CallOptions): CallOptions => withPlan(other, tools, planned)
  return {
    request: {
      ...request,
      options: bound(options),
      spec: {
        ...spec,
        inputTokens: spec.inputTokens + inputTokens,
        ...(toolCalls === 0 ? {} : { toolCalls }),
        ...(webSearches === 0 ? {} : { webSearches }),
        ...(fileSearches === 0 ? {} : { fileSearches }),
      },
    },
    tools: tools.filter((_, place) => planned.uses[place] !== null),
    bound,
  }
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
