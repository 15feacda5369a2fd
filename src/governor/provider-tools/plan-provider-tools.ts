import { assertKnownOptions, METERS, type Meter, optionNames } from '../../core/index.ts'
import { type ModelPrice, readAgain, TOKENS_OF_RESULT, worstCase } from '../../pricing/index.ts'
import type { ModelCallSpec } from '../call.ts'
import { priceForCall } from '../calls/price-for-call.ts'
import { pathLimits } from '../scope/path/path-limits.ts'
import { remainingOnPath } from '../scope/path/remaining-on-path.ts'
import type { ScopeRuntime } from '../scope/scope-runtime.ts'
import type {
  ListedTools,
  PlannedProviderTools,
  ProviderReading,
  ProviderRunTool,
  ProviderToolsQuestion,
} from './provider-run-tool.ts'
import { searchesOf, shareUses } from './share-provider-uses.ts'

// Most calls search for nothing: what is reserved for searches must not take the room of the call itself.
const SHARE_FOR_FEES = 10
const SHARE_FOR_READING = 4
// A listed tool reserves one use in every later call. Above this share, a larger budget would pay for fewer calls than
// a smaller one, which has to leave the tool out.
const SHARE_WHEN_LISTED = 25
const MOST_USES = 100
const NO_READING: ProviderReading = { tokens: 0, resultTokens: 0 }

const QUESTION = optionNames<ProviderToolsQuestion>({
  tools: true,
  hasClientTools: true,
  allowsUnbounded: true,
  listed: true,
})

/**
 * Plans provider-run tools, for every edge. A provider runs its tools without asking us. So under a limit that counts
 * them, the request itself bounds them, and that many uses are reserved, plus the prompt being read again after each. A
 * tool that cannot be bounded, or that has no room at the conversation's first request, is left out from then on. A
 * listed tool stays, with one use reserved in every call, unless the request can forbid it. `spec` is the call without
 * these tools.
 */
export async function planProviderTools(
  runtime: ScopeRuntime,
  spec: ModelCallSpec,
  question: ProviderToolsQuestion,
): Promise<PlannedProviderTools> {
  assertKnownOptions('planProviderTools', question, QUESTION)
  const { tools, hasClientTools, listed = null } = question
  const limits = pathLimits(runtime)
  if (!limits.boundsTools && !limits.boundsOutput) return unplanned(tools)
  const left = await remainingOnPath(runtime)
  const mostCalls = limits.boundsTools ? Math.max(0, (left.get('toolCalls') ?? 0) - (hasClientTools ? 1 : 0)) : Infinity
  const price = priceForCall(runtime, spec).price
  const reading = limits.boundsOutput ? readable(tools, spec, price, left, listed) : { uses: Infinity, resultTokens: 0 }
  const room = { most: Math.min(mostCalls, reading.uses), feesNanoUsd: feesIn(left), price }
  const { granted, resultTokens, ...shared } = shareUses(question, limits, {
    ...room,
    resultTokens: reading.resultTokens,
  })
  const contentTokens = tools.map((tool) => (limits.boundsOutput ? contentBound(tool, resultTokens) : undefined))
  return {
    ...shared,
    contentTokens,
    toolCalls: limits.boundsTools ? granted : 0,
    reading: limits.boundsOutput
      ? { tokens: readAgain(spec.inputTokens, granted, resultTokens), resultTokens: granted * resultTokens }
      : NO_READING,
    listed: { uses: shared.uses, contentTokens, resultTokens },
  }
}

/** Without a limit nothing changes. The searches are named, so that their fees are known even if the answer is not. */
function unplanned(tools: readonly ProviderRunTool[]): PlannedProviderTools {
  const nothing = tools.map(() => undefined)
  return {
    uses: nothing,
    isForbidden: tools.map(() => false),
    contentTokens: nothing,
    usesTogether: null,
    toolCalls: 0,
    reading: NO_READING,
    listed: null,
    ...searchesOf(tools),
  }
}

interface Reading {
  readonly uses: number
  /** The most tokens that one use brings in. */
  readonly resultTokens: number
}

/**
 * As many uses as a share of what is left pays for, with the prompt read again after each; with smaller results if
 * those are too expensive.
 */
function readable(
  tools: readonly ProviderRunTool[],
  spec: ModelCallSpec,
  price: ModelPrice | null,
  left: ReadonlyMap<Meter, number>,
  listed: ListedTools | null,
): Reading {
  if (listed !== null && listed.resultTokens > 0) {
    return { uses: readableUses(spec, price, left, listed.resultTokens), resultTokens: listed.resultTokens }
  }
  const staysListed = listed === null && tools.some(staysForOthers)
  if (staysListed && readableUses(spec, price, left, TOKENS_OF_RESULT, SHARE_WHEN_LISTED) === 0) {
    return { uses: 0, resultTokens: TOKENS_OF_RESULT }
  }
  const named = Math.max(TOKENS_OF_RESULT, ...tools.map(({ contentTokens }) => contentTokens ?? 0))
  const asNamed = { uses: readableUses(spec, price, left, named), resultTokens: named }
  if (asNamed.uses > 0 || named === TOKENS_OF_RESULT) return asNamed
  return { uses: readableUses(spec, price, left, TOKENS_OF_RESULT), resultTokens: TOKENS_OF_RESULT }
}

/** OpenAI's tools share one bound, and if the list cannot forbid one of them, none can be forbidden. */
function staysForOthers({ isBoundTogether, isForbiddable }: ProviderRunTool): boolean {
  return isBoundTogether === true && isForbiddable !== true
}

function readableUses(
  spec: ModelCallSpec,
  price: ModelPrice | null,
  left: ReadonlyMap<Meter, number>,
  resultTokens: number,
  share = SHARE_FOR_READING,
): number {
  const fits = (uses: number): boolean => {
    const inputTokens = readAgain(spec.inputTokens, uses, resultTokens)
    const amounts = worstCase({ ...spec, price, inputTokens, maxOutputTokens: 1, webSearches: 0, fileSearches: 0 })
    return Object.entries(amounts).every(([meter, amount]) => {
      const most = left.get(meter as keyof typeof amounts)
      return meter === 'modelCalls' || most === undefined || amount <= most / share
    })
  }
  let uses = 0
  while (uses < MOST_USES && fits(uses + 1)) uses++
  return uses
}

/** An unbounded use is limited to what is reserved for it. */
function contentBound({ contentTokens }: ProviderRunTool, most: number): number | undefined {
  if (contentTokens === undefined) return undefined
  const bound = Math.min(contentTokens ?? TOKENS_OF_RESULT, most)
  return bound === contentTokens ? undefined : bound
}

function feesIn(left: ReadonlyMap<Meter, number>): number {
  let leftNanoUsd = Number.POSITIVE_INFINITY
  for (const [meter, most] of left) if (METERS[meter].unit === 'nanoUsd') leftNanoUsd = Math.min(leftNanoUsd, most)
  return leftNanoUsd / SHARE_FOR_FEES
}
