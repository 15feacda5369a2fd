import { assertKnownOptions, InvalidOptionError, METERS, type Meter, optionNames } from '../core/index.ts'
import { fileSearchFee, type ModelPrice, readAgain, TOKENS_OF_RESULT, worstCase } from '../pricing/index.ts'
import type { ModelCallSpec, Scope } from './governor.ts'
import { type PathLimits, pathLimits } from './path-limits.ts'
import { priceForCall } from './price-for-call.ts'
import { remainingOnPath } from './remaining-on-path.ts'
import { runtimeBehind } from './scope-handle.ts'

/** A tool of a request that its provider runs, as far as limits go. */
export interface ProviderRunTool {
  /** The most uses that the request names for it; `null`: it names none. */
  readonly maxUses: number | null
  /** Whether the request can bound it at all. */
  readonly isBoundable: boolean
  /** One figure of the request bounds it and all others like it together, as OpenAI's `max_tool_calls` does. */
  readonly isBoundTogether?: boolean
  readonly isWebSearch: boolean
  /** It searches in files that the provider keeps, for a fee. */
  readonly isFileSearch?: boolean
  /** The model itself brings it, once in each answer: it cannot be taken out. */
  readonly isBuiltIn?: boolean
  /** It costs more than tokens and searches: a container, by the minute. */
  readonly hasOwnPrice?: boolean
  /** The most tokens that one use brings in, as the request bounds it; `null`: it could and does not. */
  readonly contentTokens?: number | null
}

export interface ProviderToolsQuestion {
  readonly tools: readonly ProviderRunTool[]
  /** The request also has tools that its client runs: one of the tool calls that are left is for those. */
  readonly hasClientTools: boolean
  /** Tools that no request can bound stay in it, though a limit counts them. */
  readonly allowsUnbounded?: boolean
}

/** How a request may use the tools that its provider runs, and what is to be reserved for them with the call. */
export interface PlannedProviderTools {
  /** For each tool, in order: the bound to write, `null` to take it out, `undefined` to leave it as it is. */
  readonly uses: readonly (number | null | undefined)[]
  /** The same for what one use of it may bring in. */
  readonly contentTokens: readonly (number | undefined)[]
  /** The bound over all that are bound together; `null` where nothing is to be written. */
  readonly usesTogether: number | null
  readonly toolCalls: number
  readonly webSearches: number
  readonly fileSearches: number
  /** What the provider reads beside the prompt. */
  readonly inputTokens: number
}

// Where the request names no bound of its own.
const UNNAMED_USES = 5
// Most calls search for nothing: what is set aside for it must not keep the call itself from its room.
const SHARE_FOR_FEES = 10
const SHARE_FOR_READING = 4
const MOST_USES = 100

const QUESTION = optionNames<ProviderToolsQuestion>({ tools: true, hasClientTools: true, allowsUnbounded: true })

/**
 * Nobody asks us before a provider runs one of its tools: so under a limit that they count on, the request itself bounds
 * them, and as many are reserved, with what is read again after each. One that cannot be bounded, or that nothing is
 * left for, is taken out. Every edge plans them here. `spec` is the call without them.
 */
export async function planProviderTools(
  scope: Scope,
  spec: ModelCallSpec,
  question: ProviderToolsQuestion,
): Promise<PlannedProviderTools> {
  assertKnownOptions('planProviderTools', question, QUESTION)
  const { tools, hasClientTools } = question
  const limits = pathLimits(scope)
  if (!limits.boundsTools && !limits.boundsOutput) return unplanned(tools)
  const left = await remainingOnPath(scope)
  const mostCalls = limits.boundsTools ? Math.max(0, (left.get('toolCalls') ?? 0) - (hasClientTools ? 1 : 0)) : Infinity
  const price = priceOf(scope, spec)
  const reading = limits.boundsOutput ? readable(tools, spec, price, left) : { uses: Infinity, resultTokens: 0 }
  const room = { most: Math.min(mostCalls, reading.uses), feesNanoUsd: feesIn(left), price }
  const { granted, ...shared } = share(question, limits, room)
  return {
    ...shared,
    contentTokens: tools.map((tool) => (limits.boundsOutput ? contentBound(tool, reading.resultTokens) : undefined)),
    toolCalls: limits.boundsTools ? granted : 0,
    inputTokens: limits.boundsOutput ? readAgain(spec.inputTokens, granted, reading.resultTokens) : 0,
  }
}

/** Without a limit nothing changes. The searches are named, so that their fees are known if the answer is not. */
function unplanned(tools: readonly ProviderRunTool[]): PlannedProviderTools {
  const searches = countSearches()
  for (const tool of tools) searches.add(tool, usesOf(tool))
  const nothing = tools.map(() => undefined)
  return {
    uses: nothing,
    contentTokens: nothing,
    usesTogether: null,
    toolCalls: 0,
    inputTokens: 0,
    ...searches.total(),
  }
}

function priceOf(scope: Scope, spec: ModelCallSpec): ModelPrice | null {
  const runtime = runtimeBehind(scope)
  if (runtime === null) throw new InvalidOptionError('planProviderTools(scope)', scope, 'a scope of a governor')
  return priceForCall(runtime, spec).price
}

interface Reading {
  readonly uses: number
  /** What one use brings in at most. */
  readonly resultTokens: number
}

/** As often as a part of what is left pays for reading the prompt again; with less brought in where that is too dear. */
function readable(
  tools: readonly ProviderRunTool[],
  spec: ModelCallSpec,
  price: ModelPrice | null,
  left: ReadonlyMap<Meter, number>,
): Reading {
  const named = Math.max(TOKENS_OF_RESULT, ...tools.map(({ contentTokens }) => contentTokens ?? 0))
  const asNamed = { uses: readableUses(spec, price, left, named), resultTokens: named }
  if (asNamed.uses > 0 || named === TOKENS_OF_RESULT) return asNamed
  return { uses: readableUses(spec, price, left, TOKENS_OF_RESULT), resultTokens: TOKENS_OF_RESULT }
}

function readableUses(
  spec: ModelCallSpec,
  price: ModelPrice | null,
  left: ReadonlyMap<Meter, number>,
  resultTokens: number,
): number {
  const fits = (uses: number): boolean => {
    const inputTokens = readAgain(spec.inputTokens, uses, resultTokens)
    const amounts = worstCase({ ...spec, price, inputTokens, maxOutputTokens: 1, webSearches: 0, fileSearches: 0 })
    return Object.entries(amounts).every(([meter, amount]) => {
      const most = left.get(meter as keyof typeof amounts)
      return meter === 'modelCalls' || most === undefined || amount <= most / SHARE_FOR_READING
    })
  }
  let uses = 0
  while (uses < MOST_USES && fits(uses + 1)) uses++
  return uses
}

/** A use that could bring in anything is held to what is reserved for it. */
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

interface Room {
  readonly most: number
  readonly feesNanoUsd: number
  readonly price: ModelPrice | null
}

type Shares = Pick<PlannedProviderTools, 'uses' | 'usesTogether' | 'webSearches' | 'fileSearches'> & {
  readonly granted: number
}

/** Gives each tool its uses, in the order of the request; those that are bound together go first, as one. */
function share({ tools, allowsUnbounded = false }: ProviderToolsQuestion, limits: PathLimits, room: Room): Shares {
  const searches = countSearches()
  const canBound = ({ isBoundable, hasOwnPrice }: ProviderRunTool): boolean =>
    isBoundable && !(limits.boundsCost && hasOwnPrice === true)
  const feeOf = (tool: ProviderRunTool): number => feeOfTool(tool, room.price)
  const payable = (tool: ProviderRunTool, feesNanoUsd: number): number =>
    feeOf(tool) === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(feesNanoUsd / feeOf(tool)))
  const ownUses = (tool: ProviderRunTool, most: number, fees: number): number =>
    tool.isBoundTogether === true ? 0 : Math.max(0, Math.min(usesOf(tool), most, payable(tool, fees)))
  const group = tools.filter(
    (tool) => tool.isBoundTogether === true && canBound(tool) && payable(tool, room.feesNanoUsd) > 0,
  )
  const usesTogether =
    group.length === 0
      ? 0
      : Math.min(room.most, ...group.map(usesOf), ...group.map((tool) => payable(tool, room.feesNanoUsd)))
  // Each of their uses may be of the dearest.
  const [dearest] = group.toSorted((left, right) => feeOf(right) - feeOf(left))
  if (dearest !== undefined) searches.add(dearest, usesTogether)
  let granted = usesTogether
  let feesNanoUsd = room.feesNanoUsd - usesTogether * (dearest === undefined ? 0 : feeOf(dearest))
  const uses = tools.map((tool): number | null | undefined => {
    if (group.includes(tool)) return usesTogether > 0 ? undefined : null
    if (!canBound(tool) && tool.isBuiltIn !== true && allowsUnbounded) {
      searches.add(tool, usesOf(tool))
      return undefined
    }
    // One that cannot be taken out is asked for in any case: where there is no room for it, the call has none.
    const own = tool.isBuiltIn === true ? 1 : canBound(tool) ? ownUses(tool, room.most - granted, feesNanoUsd) : 0
    if (own === 0) return null
    granted += own
    feesNanoUsd -= own * feeOf(tool)
    searches.add(tool, own)
    return own
  })
  return { uses, usesTogether: usesTogether > 0 ? usesTogether : null, granted, ...searches.total() }
}

function feeOfTool({ isWebSearch, isFileSearch }: ProviderRunTool, price: ModelPrice | null): number {
  if (price === null) return 0
  if (isWebSearch) return price.fees.webSearchNanoUsd
  return isFileSearch === true ? fileSearchFee(price.fees) : 0
}

function countSearches() {
  let webSearches = 0
  let fileSearches = 0
  return {
    add({ isWebSearch, isFileSearch }: ProviderRunTool, uses: number): void {
      if (isWebSearch) webSearches += uses
      else if (isFileSearch === true) fileSearches += uses
    },
    total: () => ({ webSearches, fileSearches }),
  }
}

function usesOf({ maxUses }: ProviderRunTool): number {
  return maxUses ?? UNNAMED_USES
}
