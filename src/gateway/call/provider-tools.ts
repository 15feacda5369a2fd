import { type ModelCallSpec, remainingOnPath, type UsesOnPath, usesOnPath } from '../../governor/index.ts'
import { readAgain } from '../../pricing/index.ts'
import type { ProviderTool, RequestEdits } from '../dialects/dialect.ts'
import type { LiveCall } from './live-call.ts'

/** Tools that the provider runs, as a request may have them. */
export interface BoundedTools {
  readonly edits: Pick<RequestEdits, 'providerToolUses' | 'maxProviderCalls'>
  /** How many calls of them are set aside with the request. */
  readonly toolCalls: number
  readonly webSearches: number
  /** What they make the provider read beside the prompt. */
  readonly inputTokens: number
}

const NO_TOOLS: BoundedTools = { edits: {}, toolCalls: 0, webSearches: 0, inputTokens: 0 }
const UNBOUNDED: UsesOnPath = { uses: Number.POSITIVE_INFINITY, searches: Number.POSITIVE_INFINITY }
// Where the request names no bound of its own.
const UNNAMED_USES = 5

type Asked = Pick<LiveCall, 'dialect' | 'request' | 'limits' | 'scope' | 'options'>

/**
 * Nobody asks us before a provider runs one of its tools: so under a limit that they count on, the request itself
 * bounds them, and so many are reserved. One that cannot be bounded is taken out, unless the operator allows it.
 */
export async function boundProviderTools(call: Asked, spec: ModelCallSpec): Promise<BoundedTools> {
  const { request, limits, scope } = call
  const { providerTools, hasTools } = request
  if (providerTools.length === 0) return NO_TOOLS
  if (!limits.boundsTools && !limits.boundsOutput)
    return { ...NO_TOOLS, webSearches: searchesIn(providerTools, usesOf) }
  const left = limits.boundsTools ? ((await remainingOnPath(scope)).get('toolCalls') ?? 0) : Number.POSITIVE_INFINITY
  const affordable = limits.boundsOutput ? await usesOnPath(scope, spec) : UNBOUNDED
  // One of those that are left is for the client's own tools.
  const most = Math.min(Math.max(0, left - (hasTools ? 1 : 0)), affordable.uses)
  const { uses, ...shared } = share(call, most, affordable.searches)
  return { ...shared, inputTokens: limits.boundsOutput ? readAgain(spec.inputTokens, uses) : 0 }
}

interface SharedUses extends Omit<BoundedTools, 'inputTokens'> {
  readonly uses: number
}

function share({ dialect, request, options, limits }: Asked, most: number, mostSearches: number): SharedUses {
  const isTogether = dialect.name === 'openai-responses'
  const uses = new Map<number, number | null>()
  const isPaidFor = ({ isWebSearch, isBuiltIn }: ProviderTool): boolean =>
    !isWebSearch || isBuiltIn === true || mostSearches > 0
  const canBound = ({ isBoundable, hasOwnPrice }: ProviderTool): boolean =>
    isBoundable && !(limits.boundsCost && hasOwnPrice === true)
  const bounded = request.providerTools.filter((tool) => canBound(tool) && isPaidFor(tool))
  const hasSearch = bounded.some(({ isWebSearch }) => isWebSearch)
  let searchesLeft = mostSearches
  let left = isTogether ? Math.min(most, hasSearch ? mostSearches : most, Math.max(0, ...bounded.map(usesOf))) : most
  const together = left
  for (const tool of request.providerTools) {
    const affordable = tool.isWebSearch ? searchesLeft : left
    // One that cannot be taken out is asked for in any case: where there is no room for it, the request has none.
    const granted = tool.isBuiltIn ? 1 : canBound(tool) ? Math.min(usesOf(tool), left, affordable) : 0
    if (granted > 0) {
      if (!isTogether) {
        left -= granted
        if (tool.isWebSearch) searchesLeft -= granted
        uses.set(tool.index, granted)
      }
    } else if (canBound(tool) || options.allowsUnboundedTools !== true) uses.set(tool.index, null)
  }
  const granted = isTogether ? together : most === Number.POSITIVE_INFINITY ? sum(uses) : most - left
  const usesGranted = (tool: ProviderTool): number => (isTogether ? together : (uses.get(tool.index) ?? 0))
  return {
    edits: {
      ...(uses.size === 0 ? {} : { providerToolUses: uses }),
      ...(isTogether && together > 0 ? { maxProviderCalls: together } : {}),
    },
    uses: granted,
    toolCalls: limits.boundsTools ? granted : 0,
    webSearches: isTogether ? (hasSearch ? together : 0) : searchesIn(bounded, usesGranted),
  }
}

function usesOf({ maxUses }: ProviderTool): number {
  return maxUses ?? UNNAMED_USES
}

function searchesIn(tools: readonly ProviderTool[], uses: (tool: ProviderTool) => number): number {
  return tools.reduce((searches, tool) => searches + (tool.isWebSearch ? uses(tool) : 0), 0)
}

function sum(uses: ReadonlyMap<number, number | null>): number {
  return [...uses.values()].reduce<number>((total, each) => total + (each ?? 0), 0)
}
