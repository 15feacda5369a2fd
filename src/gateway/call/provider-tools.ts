import { type ModelCallSpec, type PlannedProviderTools, planProviderTools, runsAgent } from '../../governor/index.ts'
import type { RequestEdits, WireRequest } from '../dialects/dialect.ts'
import type { LiveCall } from './live-call.ts'

/** Tools that the provider runs, as a request may have them. */
export interface BoundedTools
  extends Pick<PlannedProviderTools, 'toolCalls' | 'webSearches' | 'fileSearches' | 'inputTokens'> {
  readonly edits: Pick<
    RequestEdits,
    'providerToolUses' | 'forbiddenTools' | 'providerToolContents' | 'maxProviderCalls'
  >
}

/** Bounds the tools that the provider runs by the limits of the call, as edits of its request. */
export async function boundProviderTools(
  { request, scope, state, options }: Pick<LiveCall, 'request' | 'scope' | 'state' | 'options'>,
  spec: ModelCallSpec,
): Promise<BoundedTools> {
  const { providerTools, hasTools } = request
  const { allowsUnboundedTools = false } = options
  const conversation = conversationOf(request, runsAgent(scope))
  const before = state.listedTools.get(conversation)?.listed ?? null
  const planned = await planProviderTools(scope, spec, {
    tools: providerTools,
    hasClientTools: hasTools,
    allowsUnbounded: allowsUnboundedTools,
    listed: before,
  })
  const { uses, contentTokens, isForbidden, usesTogether, listed, ...reserved } = planned
  if (listed !== null) state.listedTools.set(conversation, { listed, before: before ?? listed })
  const forbidden = providerTools.filter((_, place) => isForbidden[place] === true).map(({ index }) => index)
  return {
    ...reserved,
    edits: {
      ...listEdits(request, { uses, contentTokens }),
      ...(forbidden.length === 0 ? {} : { forbiddenTools: new Set(forbidden) }),
      ...(usesTogether === null ? {} : { maxProviderCalls: usesTogether }),
    },
  }
}

/** What of the list itself changes. */
function listEdits(
  { providerTools }: WireRequest,
  { uses, contentTokens }: Pick<PlannedProviderTools, 'uses' | 'contentTokens'>,
): Pick<RequestEdits, 'providerToolUses' | 'providerToolContents'> {
  const changed = providerTools.flatMap(({ index }, place): [number, number | null][] => {
    const bound = uses[place]
    return bound === undefined ? [] : [[index, bound]]
  })
  const contents = providerTools.flatMap(({ index }, place): [number, number][] => {
    const bound = uses[place] === null ? undefined : contentTokens[place]
    return bound === undefined ? [] : [[index, bound]]
  })
  return {
    ...(changed.length === 0 ? {} : { providerToolUses: new Map(changed) }),
    ...(contents.length === 0 ? {} : { providerToolContents: new Map(contents) }),
  }
}

/**
 * What stands for the conversation of a request. An agent's is all that has the same list of tools, also after it has
 * summed up its messages. Where many share a scope, and for side requests, the first message tells them apart.
 */
function conversationOf(request: WireRequest, isOfOne: boolean): string {
  const { parts } = request.prompt()
  const tools = parts.filter(({ kind }) => kind === 'tools').map(({ digest }) => digest)
  const first = isOfOne && request.hasTools ? undefined : parts.find(({ kind }) => kind === 'user')?.digest
  return [...tools, first ?? ''].join('\n')
}

/**
 * The tools that the provider runs, in a closing call: the list is the one of the requests before it. Where a tool of
 * the client is forced, others may be called beside it, and nothing is set aside for those: they are forbidden or gone.
 */
export function closingTools({ request, scope, state }: Pick<LiveCall, 'request' | 'scope' | 'state'>): RequestEdits {
  const { providerTools, forcesTool } = request
  if (providerTools.length === 0) return {}
  const tools = state.listedTools.get(conversationOf(request, runsAgent(scope)))
  if (!forcesTool) return tools === undefined ? {} : listEdits(request, tools.before)
  const [forbidden, gone] = [true, false].map((isForbiddable) =>
    providerTools.filter((tool) => (tool.isForbiddable === true) === isForbiddable).map(({ index }) => index),
  )
  return { forbiddenTools: new Set(forbidden), providerToolUses: new Map(gone!.map((index) => [index, null])) }
}
