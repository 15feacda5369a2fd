import { DEFAULT_ACTION, isEnforced } from '../../core/limits/action.ts'
import { tightestCeilings } from '../../core/limits/ceilings.ts'
import { compareLimits, DEFAULT_NEARING, DEFAULT_TIME_ZONE, type Limit } from '../../core/limits/limit.ts'
import type { Layer } from '../../core/limits/limit-source.ts'
import type { ParsedLimits } from '../formats/parsed-limits.ts'
import { completeEntry } from '../limits/complete-entry.ts'
import { mergeKey } from './resolved-limits.ts'

/** The ceilings that no other ceiling covers. Of two on one meter and period, the one that stops comes first. */
export function ceilingsOf(parsed: readonly ParsedLimits[]): readonly Limit[] {
  return tightestCeilings(operatorLimits(parsed, 'ceiling'))
}

/** The highest floor of each meter and period. */
export function floorsOf(parsed: readonly ParsedLimits[]): readonly Limit[] {
  const highest = new Map<string, Limit>()
  for (const floor of operatorLimits(parsed, 'floor')) {
    const current = highest.get(mergeKey(floor))
    if (current === undefined || floor.max > current.max) highest.set(mergeKey(floor), floor)
  }
  return [...highest.values()].sort(compareLimits)
}

/** Ceilings of untrusted layers that would only warn. They are ignored. */
export function untrustedWarnings(parsed: readonly ParsedLimits[]): readonly Limit[] {
  return parsed
    .filter(({ layer, onlyTightens }) => layer === 'ceiling' && onlyTightens === true)
    .flatMap(completed)
    .filter(({ action }) => !isEnforced(action))
}

/**
 * An operator's limits inherit nothing from other layers: an `onLimit: warn` must not soften a ceiling. An untrusted
 * layer's ceilings always end the run.
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
