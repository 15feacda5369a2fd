import { edgeOf, type PlannedProviderTools } from '../governor/edge.ts'
import type { ModelCallSpec } from '../governor/index.ts'
import type { AgentCall } from './agent-call.ts'
import type { ProviderTool, RequestEdits, RequestView } from './request-view.ts'

/** The provider-run tools of a request, as planned. */
export interface BoundedTools
  extends Pick<PlannedProviderTools, 'toolCalls' | 'webSearches' | 'fileSearches' | 'reading'> {
  readonly edits: Pick<
    RequestEdits,
    'providerToolUses' | 'forbiddenTools' | 'providerToolContents' | 'maxProviderCalls'
  >
}

type AskingCall = Pick<AgentCall, 'request' | 'state'>

/** Bounds provider-run tools by the limits of the call, as edits of its request. */
export async function boundProviderTools(
  call: AskingCall & Pick<AgentCall, 'settings'>,
  spec: ModelCallSpec,
): Promise<BoundedTools> {
  const { request, state } = call
  const { allowsUnboundedTools = false } = call.settings
  const providerTools = toolsOf(call)
  const conversation = conversationOf(call)
  const before = state.listedTools.get(conversation)?.listed ?? null
  const planned = await edgeOf(state.scope).planProviderTools(spec, {
    tools: providerTools,
    hasClientTools: request.hasTools,
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

/** Edits of the list itself. */
function listEdits(
  { providerTools }: RequestView,
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
 * Identifies the conversation of a request. For an agent it is everything with the same list of tools, even after it
 * has summarized its messages. In a shared scope, and for side requests, the first message distinguishes them.
 */
function conversationOf({ request, state }: AskingCall): string {
  const { parts } = request.prompt()
  const tools = parts.filter(({ kind }) => kind === 'tools').map(({ digest }) => digest)
  const isOfOne = edgeOf(state.scope).runsAgent && request.hasTools
  const first = isOfOne ? undefined : parts.find(({ kind }) => kind === 'user')?.digest
  return [String(state.refusesAllowedTools), ...tools, first ?? ''].join('\n')
}

/** If the upstream refuses `allowed_tools`, nothing can be forbidden: tools without room are left out. */
function toolsOf({ request: { providerTools }, state }: AskingCall): readonly ProviderTool[] {
  if (!state.refusesAllowedTools) return providerTools
  return providerTools.map(({ isForbiddable: _, ...tool }) => tool)
}

/**
 * Whether a refusal is about `allowed_tools`, which not every upstream supports: the request is then planned without
 * it, once.
 */
export function givesUpAllowedTools({ request, state }: AskingCall, refusal: string | null): boolean {
  const mayHaveForbidden = request.providerTools.some(({ isForbiddable }) => isForbiddable === true)
  if (state.refusesAllowedTools || !mayHaveForbidden || refusal === null) return false
  state.refusesAllowedTools = /allowed_tools|tool_choice/.test(refusal)
  return state.refusesAllowedTools
}

/**
 * The provider-run tools of a closing call: the list is that of the requests before it. If a client-run tool is forced,
 * others may be called next to it, and nothing is reserved for those: they are forbidden or removed.
 */
export function closingTools(call: AskingCall): RequestEdits {
  const { request, state } = call
  const providerTools = toolsOf(call)
  if (providerTools.length === 0) return {}
  const tools = state.listedTools.get(conversationOf(call))
  if (!request.forcesTool) return tools === undefined ? {} : listEdits(request, tools.before)
  const [forbidden, gone] = [true, false].map((isForbiddable) =>
    providerTools.filter((tool) => (tool.isForbiddable === true) === isForbiddable).map(({ index }) => index),
  )
  return { forbiddenTools: new Set(forbidden), providerToolUses: new Map(gone!.map((index) => [index, null])) }
}
