import { type Action, DEFAULT_ACTION, isEnforced } from '../core/action.ts'
import type { Layer } from '../core/limit-source.ts'
import type { ParsedLimits } from './parsed-limits.ts'
import { isAsStrong } from './ranked-layers.ts'

/**
 * The action of a layer's limits that name none: `onLimit` of that layer or of a stronger one. What a weaker layer says
 * is about its own limits: an `onLimit: warn` must not turn a limit of a stronger layer into a warning.
 */
export function defaultAction(ranked: readonly ParsedLimits[], layer: Layer): Action {
  const strong = ranked.filter((limits) => isAsStrong(limits.layer, layer))
  const place = strong.findLastIndex(isBelieved)
  const action = strong[place]?.onLimit?.action ?? DEFAULT_ACTION
  if (isEnforced(action)) return action
  const isTightened = strong.slice(place + 1).some(({ onLimit }) => onLimit !== null && isEnforced(onLimit.action))
  return isTightened ? DEFAULT_ACTION : action
}

/**
 * Whether limits that may only tighten, and that name no action, would merely warn: a trusted layer
 * above says so, or else their own does. All others end the run: such a layer cannot choose to pause or to ask.
 */
export function wouldWarn(ranked: readonly ParsedLimits[], { layer, onLimit }: ParsedLimits): boolean {
  const above = ranked.findLast((limits) => isAsStrong(limits.layer, layer) && isBelieved(limits))
  return !isEnforced((above?.onLimit ?? onLimit)?.action ?? DEFAULT_ACTION)
}

function isBelieved({ onLimit, onlyTightens }: ParsedLimits): boolean {
  return onLimit !== null && onlyTightens !== true
}
