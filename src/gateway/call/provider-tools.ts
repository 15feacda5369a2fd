import { type ModelCallSpec, type PlannedProviderTools, planProviderTools } from '../../governor/index.ts'
import type { RequestEdits } from '../dialects/dialect.ts'
import type { LiveCall } from './live-call.ts'

/** Tools that the provider runs, as a request may have them. */
export interface BoundedTools
  extends Pick<PlannedProviderTools, 'toolCalls' | 'webSearches' | 'fileSearches' | 'inputTokens'> {
  readonly edits: Pick<RequestEdits, 'providerToolUses' | 'providerToolContents' | 'maxProviderCalls'>
}

/** Bounds the tools that the provider runs by the limits of the call, as edits of its request. */
export async function boundProviderTools(
  { request, scope, options }: Pick<LiveCall, 'request' | 'scope' | 'options'>,
  spec: ModelCallSpec,
): Promise<BoundedTools> {
  const { providerTools, hasTools } = request
  const { allowsUnboundedTools = false } = options
  const planned = await planProviderTools(scope, spec, {
    tools: providerTools,
    hasClientTools: hasTools,
    allowsUnbounded: allowsUnboundedTools,
  })
  const { uses, usesTogether, contentTokens, ...reserved } = planned
  const changed = providerTools.flatMap(({ index }, place): [number, number | null][] => {
    const bound = uses[place]
    return bound === undefined ? [] : [[index, bound]]
  })
  const contents = providerTools.flatMap(({ index }, place): [number, number][] => {
    const bound = uses[place] === null ? undefined : contentTokens[place]
    return bound === undefined ? [] : [[index, bound]]
  })
  return {
    ...reserved,
    edits: {
      ...(changed.length === 0 ? {} : { providerToolUses: new Map(changed) }),
      ...(contents.length === 0 ? {} : { providerToolContents: new Map(contents) }),
      ...(usesTogether === null ? {} : { maxProviderCalls: usesTogether }),
    },
  }
}
