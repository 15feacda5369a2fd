import { fileSearchFee, type ModelPrice, TOKENS_OF_RESULT } from '../../pricing/index.ts'
import type { PathLimits } from '../scope/path/path-limits.ts'
import type { PlannedProviderTools, ProviderRunTool, ProviderToolsQuestion } from './provider-run-tool.ts'

/** What there is room for. */
export interface UsesRoom {
  readonly most: number
  readonly feesNanoUsd: number
  readonly price: ModelPrice | null
  /** The most tokens that one use brings in. */
  readonly resultTokens: number
}

type Shares = Pick<PlannedProviderTools, 'uses' | 'isForbidden' | 'usesTogether' | 'webSearches' | 'fileSearches'> & {
  readonly granted: number
}

// If the request sets no bound of its own.
const UNNAMED_USES = 5

/** The uses of each tool. At a later request they are those of the earlier ones, or one each. */
export function shareUses(
  question: ProviderToolsQuestion,
  limits: PathLimits,
  room: UsesRoom,
): Shares & Pick<UsesRoom, 'resultTokens'> {
  const { listed = null } = question
  const { resultTokens } = room
  if (listed === null) return { ...share(question, limits, room, null), resultTokens }
  const leftOut = listed.uses.map((uses) => (uses === null ? null : undefined))
  const fresh = share(question, limits, room, leftOut)
  const isLess = listed.uses.some((uses, place) => typeof uses === 'number' && uses > (fresh.uses[place] ?? 0))
  if (!isLess) return { ...share(question, limits, room, listed.uses), resultTokens }
  const fallen = listed.uses.map((uses) => (typeof uses === 'number' ? 1 : uses))
  return { ...share(question, limits, room, fallen), resultTokens: Math.min(resultTokens, TOKENS_OF_RESULT) }
}

/**
 * Assigns uses to each tool in request order; those that are bound together go first, as one. `fixed`, at a later
 * request: the uses that a tool keeps whatever is left, `null` for one that is left out.
 */
function share(
  { tools, allowsUnbounded = false }: ProviderToolsQuestion,
  limits: PathLimits,
  room: UsesRoom,
  fixed: PlannedProviderTools['uses'] | null,
): Shares {
  const searches = countSearches()
  const canBound = ({ isBoundable, hasOwnPrice }: ProviderRunTool): boolean =>
    isBoundable && !(limits.boundsCost && hasOwnPrice === true)
  const feeOf = (tool: ProviderRunTool): number => feeOfTool(tool, room.price)
  const payable = (tool: ProviderRunTool, feesNanoUsd: number): number =>
    feeOf(tool) === 0 ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(feesNanoUsd / feeOf(tool)))
  const ownUses = (tool: ProviderRunTool, most: number, fees: number): number =>
    tool.isBoundTogether === true ? 0 : Math.max(0, Math.min(usesOf(tool), most, payable(tool, fees)))
  // It was listed, and only a bound keeps it from being used.
  const keepsOne = ({ isForbiddable }: ProviderRunTool): boolean => fixed !== null && isForbiddable !== true
  const group = tools.filter(
    (tool, place) =>
      tool.isBoundTogether === true &&
      canBound(tool) &&
      fixed?.[place] !== null &&
      (keepsOne(tool) || payable(tool, room.feesNanoUsd) > 0),
  )
  const usesTogether =
    group.length === 0
      ? 0
      : Math.max(
          group.some(keepsOne) ? 1 : 0,
          Math.min(room.most, ...group.map(usesOf), ...group.map((tool) => payable(tool, room.feesNanoUsd))),
        )
  // Each of their uses may be of the most expensive one.
  const [dearest] = group.toSorted((left, right) => feeOf(right) - feeOf(left))
  if (dearest !== undefined) searches.add(dearest, usesTogether)
  let granted = usesTogether
  let feesNanoUsd = room.feesNanoUsd - usesTogether * (dearest === undefined ? 0 : feeOf(dearest))
  const isForbidden = tools.map(
    (tool) => tool.isForbiddable === true && canBound(tool) && !(usesTogether > 0 && group.includes(tool)),
  )
  const ownAt = (tool: ProviderRunTool, place: number): number => {
    // A tool that cannot be removed is requested in any case: if there is no room for it, the call has none either.
    if (tool.isBuiltIn === true) return 1
    if (!canBound(tool) || fixed?.[place] === null) return 0
    return fixed?.[place] ?? ownUses(tool, room.most - granted, feesNanoUsd)
  }
  const uses = tools.map((tool, place): number | null | undefined => {
    if (isForbidden[place] === true) return undefined
    if (group.includes(tool)) return usesTogether > 0 ? undefined : null
    if (!canBound(tool) && tool.isBuiltIn !== true && allowsUnbounded) {
      searches.add(tool, usesOf(tool))
      return undefined
    }
    const own = ownAt(tool, place)
    if (own === 0) return null
    granted += own
    feesNanoUsd -= own * feeOf(tool)
    searches.add(tool, own)
    return own
  })
  return { uses, isForbidden, usesTogether: usesTogether > 0 ? usesTogether : null, granted, ...searches.total() }
}

function feeOfTool({ isWebSearch, isFileSearch }: ProviderRunTool, price: ModelPrice | null): number {
  if (price === null) return 0
  if (isWebSearch) return price.fees.webSearchNanoUsd
  return isFileSearch === true ? fileSearchFee(price.fees) : 0
}

/** The searches of unbounded tools. */
export function searchesOf(tools: readonly ProviderRunTool[]): ReturnType<ReturnType<typeof countSearches>['total']> {
  const searches = countSearches()
  for (const tool of tools) searches.add(tool, usesOf(tool))
  return searches.total()
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
