import { type Action, DEFAULT_ACTION, isEnforced } from '../../core/limits/action.ts'
import type { Layer } from '../../core/limits/limit-source.ts'
import type { ParsedLimits } from '../formats/parsed-limits.ts'
import { isAsStrong } from '../layers/ranked-layers.ts'

/**
 * The action of a layer's limits that don't name one: `onLimit` of that layer or of a stronger one. A weaker layer's
 * `onLimit` covers only its own limits: it must not turn a stronger layer's limit into a warning.
 */
export function defaultAction(ranked: readonly ParsedLimits[], layer: Layer): Action {
  const strong = ranked.filter((limits) => isAsStrong(limits.layer, layer))
  const place = strong.findLastIndex(hasTrustedAction)
  const action = strong[place]?.onLimit?.action ?? DEFAULT_ACTION
  if (isEnforced(action)) return action
  const isTightened = strong.slice(place + 1).some(({ onLimit }) => onLimit !== null && isEnforced(onLimit.action))
  return isTightened ? DEFAULT_ACTION : action
}

/**
 * Whether an untrusted layer's limits that don't name an action would only warn: by the `onLimit` of a trusted layer
 * above, else by their own. All others end the run: an untrusted layer cannot choose to pause or to ask.
 */
export function wouldWarn(ranked: readonly ParsedLimits[], { layer, onLimit }: ParsedLimits): boolean {
  const above = ranked.findLast((limits) => isAsStrong(limits.layer, layer) && hasTrustedAction(limits))
  return !isEnforced((above?.onLimit ?? onLimit)?.action ?? DEFAULT_ACTION)
}

function hasTrustedAction({ onLimit, onlyTightens }: ParsedLimits): boolean {
  return onLimit !== null && onlyTightens !== true
}
