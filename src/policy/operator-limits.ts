import { DEFAULT_ACTION, isEnforced } from '../core/action.ts'
import { tightestCeilings } from '../core/ceilings.ts'
import { compareLimits, DEFAULT_NEARING, DEFAULT_TIME_ZONE, type Limit } from '../core/limit.ts'
import type { Layer } from '../core/limit-source.ts'
import { completeEntry } from './complete-entry.ts'
import type { ParsedLimits } from './parsed-limits.ts'
import { mergeKey } from './resolved-limits.ts'

/** The ceilings, without those that another one covers; of two on one meter and period, one that stops comes first. */
export function ceilingsOf(parsed: readonly ParsedLimits[]): readonly Limit[] {
  return tightestCeilings(operatorLimits(parsed, 'ceiling'))
}

/** The floors, the highest of each meter and period. */
export function floorsOf(parsed: readonly ParsedLimits[]): readonly Limit[] {
  const highest = new Map<string, Limit>()
  for (const floor of operatorLimits(parsed, 'floor')) {
    const current = highest.get(mergeKey(floor))
    if (current === undefined || floor.max > current.max) highest.set(mergeKey(floor), floor)
  }
  return [...highest.values()].sort(compareLimits)
}

/** Ceilings of layers that only tighten and that would only warn: they are left out. */
export function untrustedWarnings(parsed: readonly ParsedLimits[]): readonly Limit[] {
  return parsed
    .filter(({ layer, onlyTightens }) => layer === 'ceiling' && onlyTightens === true)
    .flatMap(completed)
    .filter(({ action }) => !isEnforced(action))
}

/**
 * An operator's limits take nothing from other layers: an `onLimit: warn` must not soften a ceiling. A layer
 * that only tightens has ceilings that end the run, and no others.
 */
function operatorLimits(parsed: readonly ParsedLimits[], layer: Layer): readonly Limit[] {
  return parsed.flatMap((limits) => {
    if (limits.layer !== layer) return []
    if (limits.onlyTightens !== true) return completed(limits)
    const stopping = completed(limits).filter(({ action }) => isEnforced(action))
    return stopping.map((limit): Limit => ({ ...limit, action: DEFAULT_ACTION }))
  })
}

function completed(limits: ParsedLimits): readonly Limit[] {
  const scope = {
    onLimit: limits.onLimit?.action ?? DEFAULT_ACTION,
    nearing: limits.nearing?.thresholds ?? DEFAULT_NEARING,
    timeZone: limits.timeZone?.name ?? DEFAULT_TIME_ZONE,
  }
  return limits.entries.flatMap((entry) => (entry.kind === 'removal' ? [] : [completeEntry(entry, scope)]))
}
