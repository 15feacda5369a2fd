import { DEFAULT_ACTION, isEnforced } from '../../core/limits/action.ts'
import { compareLimits, DEFAULT_NEARING, DEFAULT_TIME_ZONE, type Limit } from '../../core/limits/limit.ts'
import { describeSource } from '../../core/limits/limit-source.ts'
import { METER_NAMES, type Meter } from '../../core/meter.ts'
import type { ParsedLimits } from '../formats/parsed-limits.ts'
import { completeEntry, type ScopeDefaults } from '../limits/complete-entry.ts'
import { defaultAction } from '../limits/default-action.ts'
import { applyCeilings } from './apply-ceilings.ts'
import { applyModelLimits } from './apply-model-limits.ts'
import { mergeLayers } from './merge-layers.ts'
import { ceilingsOf, floorsOf, untrustedWarnings } from './operator-limits.ts'
import { rankedLayers } from './ranked-layers.ts'
import { type LayerInput, readLayers } from './read-layers.ts'
import type { Notice, ResolvedLimits } from './resolved-limits.ts'

/**
 * Merges layers into the effective limits. Layers rank by their name, not by their position in the list; within one
 * layer, the later one wins. Ceilings, floors and a model's requests are applied to the result.
 */
export function resolveLimits(layers: readonly LayerInput[]): ResolvedLimits {
  const parsed = readLayers(layers)
  const ranked = rankedLayers(parsed)
  const trusted = ranked.filter(({ onlyTightens }) => onlyTightens !== true)
  const onLimit = defaultAction(ranked, 'defaults')
  const scope: ScopeDefaults = {
    onLimit,
    nearing: trusted.findLast((limits) => limits.nearing !== null)?.nearing?.thresholds ?? DEFAULT_NEARING,
    timeZone: trusted.findLast((limits) => limits.timeZone !== null)?.timeZone?.name ?? DEFAULT_TIME_ZONE,
  }
  const ceilings = ceilingsOf(parsed)
  const floors = floorsOf(parsed)
  const merged = mergeLayers(ranked, scope)
  const under = applyCeilings(merged.limits, ceilings, merged.removed)
  const notices: Notice[] = [
    ...ignoredRemovals(parsed),
    ...merged.notices,
    ...ignoredWarnings(parsed),
    ...ignoredDefaults(parsed),
    ...under.notices,
  ]
  const history = [...merged.history, ...under.applied]
  let limits = under.limits
  for (const model of parsed.filter(({ layer }) => layer === 'model')) {
    const lowered = applyModelLimits(limits, model, floors, (entry) => completeEntry(entry, scope))
    limits = lowered.limits
    notices.push(...lowered.notices)
    history.push(...lowered.applied)
  }
  return {
    limits: [...limits].sort(compareLimits),
    onLimit,
    max: maximaOf(limits),
    removed: merged.removed,
    ceilings,
    floors,
    notices,
    history: history.map(({ meter, per, max, source }) => ({ meter, per, max, source })),
  }
}

function ignoredRemovals(parsed: readonly ParsedLimits[]): readonly Notice[] {
  return parsed
    .filter(({ layer }) => layer === 'ceiling' || layer === 'floor')
    .flatMap(({ layer, entries }) =>
      entries
        .filter((entry) => entry.kind === 'removal')
        .map(({ meter, source }) => ({
          kind: 'ceiling-not-removed' as const,
          meter,
          per: 'any' as const,
          message: `A ${layer} cannot be unlimited: "unlimited" for ${meter} has no effect there. Leave it out instead.`,
          source,
        })),
    )
}

function ignoredWarnings(parsed: readonly ParsedLimits[]): readonly Notice[] {
  return untrustedWarnings(parsed).map(({ meter, per, source }) => ({
    kind: 'not-trusted',
    meter,
    per,
    message: `${describeSource(source)} is a ceiling that only warns, which an untrusted file cannot set.`,
    source,
  }))
}

/** Scope defaults of an untrusted layer are ignored, except `onLimit: terminate`, which cannot loosen anything. */
function ignoredDefaults(parsed: readonly ParsedLimits[]): readonly Notice[] {
  return parsed.flatMap(({ onlyTightens, onLimit, nearing, timeZone }) => {
    if (onlyTightens !== true) return []
    const action = onLimit?.action === DEFAULT_ACTION ? null : onLimit
    return [action, nearing, timeZone].flatMap((setting): readonly Notice[] => {
      if (setting === null) return []
      const message = `${describeSource(setting.source)} is ignored, because the file is not trusted.`
      return [{ kind: 'not-trusted', meter: null, per: 'any', message, source: setting.source }]
    })
  })
}

function maximaOf(limits: readonly Limit[]): Readonly<Record<Meter, number | null>> {
  const maxima = METER_NAMES.map((meter) => {
    const lasting = limits.filter((limit) => limit.meter === meter && limit.per === null)
    const enforced = lasting.filter(({ action }) => isEnforced(action))
    const counting = enforced.length === 0 ? lasting : enforced
    return [meter, counting.length === 0 ? null : Math.min(...counting.map(({ max }) => max))] as const
  })
  return Object.fromEntries(maxima) as Record<Meter, number | null>
}
