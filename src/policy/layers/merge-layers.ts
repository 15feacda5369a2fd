import { formatMaximum } from '../../core/amounts/format-maximum.ts'
import { hasSameWindows } from '../../core/decide/covers.ts'
import { DEFAULT_ACTION, isEnforced } from '../../core/limits/action.ts'
import type { Limit } from '../../core/limits/limit.ts'
import { describeSource } from '../../core/limits/limit-source.ts'
import type { ParsedLimits, RemovalEntry, SetEntry } from '../formats/parsed-limits.ts'
import { completeEntry, type ScopeDefaults } from '../limits/complete-entry.ts'
import { defaultAction, wouldWarn } from '../limits/default-action.ts'
import { type LimitStep, mergeKey, type Notice, type RemovedLimit } from './resolved-limits.ts'

/** The result of letting each layer replace the limits of the layers below it. */
export interface MergedLayers {
  readonly limits: readonly Limit[]
  /** Removals in force: no stronger layer set the meter again. */
  readonly removed: readonly RemovedLimit[]
  /** What untrusted layers requested in vain. */
  readonly notices: readonly Notice[]
  readonly history: readonly LimitStep[]
}

/**
 * Merges layers, weakest first: the last one wins per meter and period, and a removal covers all periods of its meter.
 * A layer that may only tighten is compared with the layers below it; a stronger layer replaces both.
 */
export function mergeLayers(ranked: readonly ParsedLimits[], scope: ScopeDefaults): MergedLayers {
  const held = new Map<string, Limit>()
  const removed = new Map<string, RemovedLimit>()
  const refused = new Map<string, Notice>()
  const history: LimitStep[] = []

  const hold = (limit: Limit): void => {
    held.set(mergeKey(limit), limit)
    refused.delete(mergeKey(limit))
    removed.delete(limit.meter)
    history.push({ meter: limit.meter, per: limit.per, max: limit.max, source: limit.source })
  }
  const remove = ({ meter, source }: RemovalEntry): void => {
    for (const [key, limit] of held) if (limit.meter === meter) held.delete(key)
    for (const [key, notice] of refused) if (notice.meter === meter) refused.delete(key)
    removed.set(meter, { meter, source })
    history.push({ meter, per: null, max: null, source })
  }
  const tighten = (entry: SetEntry, limits: ParsedLimits): void => {
    const current = held.get(mergeKey(entry))
    // Without this, a model could lower the warning, which stays a warning, instead of setting a limit that stops.
    const isWarning = entry.action === null ? wouldWarn(ranked, limits) : !isEnforced(entry.action)
    const limit = isWarning ? null : tightenLimit(entry, current, scope)
    if (limit === null) refused.set(mergeKey(entry), notTighter(entry, isWarning ? null : current!))
    else if (!isHeld(limit, current)) hold(limit)
  }

  for (const limits of ranked) {
    const onLimit = defaultAction(ranked, limits.layer)
    for (const entry of limits.entries) {
      if (limits.onlyTightens !== true) {
        if (entry.kind === 'removal') remove(entry)
        else hold(completeEntry(entry, { ...scope, onLimit }))
      } else if (entry.kind === 'set') tighten(entry, limits)
      else if ([...held.values()].some(({ meter }) => meter === entry.meter)) {
        refused.set(`${entry.meter}/any`, notRemoved(entry))
      }
    }
  }
  return { limits: [...held.values()], removed: [...removed.values()], notices: [...refused.values()], history }
}

function isHeld(limit: Limit, current: Limit | undefined): boolean {
  return current !== undefined && limit.max === current.max && limit.action === current.action
}

function notTighter(entry: SetEntry, current: Limit | null): Notice {
  const { meter, per, source } = entry
  const asked = formatMaximum(meter, entry.max)
  const outcome = current === null ? 'it would only warn' : `${meter} stays ${formatMaximum(meter, current.max)}`
  const message = `${describeSource(source)} asks for ${asked}; ${outcome}, because the file is not trusted.`
  return { kind: 'not-trusted', meter, per, message, source }
}

function notRemoved({ meter, source }: RemovalEntry): Notice {
  const message = `${describeSource(source)} removes the limit on ${meter}; it stays, because the file is not trusted.`
  return { kind: 'not-trusted', meter, per: 'any', message, source }
}

/**
 * The limit that an untrusted entry sets; `null` if it would not tighten anything. It ends the run, the strictest
 * action, and counts days in the time zone of the trusted layers.
 */
function tightenLimit(
  { meter, max, per, nearing, source }: SetEntry,
  held: Limit | undefined,
  scope: ScopeDefaults,
): Limit | null {
  const { timeZone } = scope
  const limit: Limit = { meter, max, per, timeZone, action: DEFAULT_ACTION, nearing: nearing ?? scope.nearing, source }
  return held === undefined || (hasSameWindows(limit, held) && max <= held.max) ? limit : null
}
