import { DEFAULT_ACTION, isEnforced } from '../core/action.ts'
import { compareLimits, DEFAULT_NEARING, DEFAULT_TIME_ZONE, type Limit } from '../core/limit.ts'
import type { Layer } from '../core/limit-source.ts'
import { METER_NAMES, type Meter } from '../core/meter.ts'
import { applyCeilings } from './apply-ceilings.ts'
import { applyModelLimits } from './apply-model-limits.ts'
import { completeEntry, type ScopeDefaults } from './complete-entry.ts'
import { mergeLayers } from './merge-layers.ts'
import { ceilingsOf, floorsOf } from './operator-limits.ts'
import type { ParsedLimits } from './parsed-limits.ts'
import { type LayerInput, readLayers } from './read-layers.ts'
import type { Notice, ResolvedLimits } from './resolved-limits.ts'

/** The layers that replace each other, the one that wins last. */
const RANKED_LAYERS: readonly Layer[] = ['defaults', 'preset', 'user', 'project', 'environment', 'call']

/**
 * Brings layers to the limits that hold. Layers rank by their name, not by their place in the list; within one layer
 * the later wins. Ceilings, floors and what a model asks for are applied to the outcome.
 */
export function resolveLimits(layers: readonly LayerInput[]): ResolvedLimits {
  const parsed = readLayers(layers)
  const ranked = RANKED_LAYERS.flatMap((layer) => parsed.filter((limits) => limits.layer === layer))
  const merged = mergeLayers(ranked)
  const onLimit = ranked.findLast((limits) => limits.onLimit !== null)?.onLimit?.action ?? DEFAULT_ACTION
  const scope: ScopeDefaults = {
    onLimit,
    nearing: ranked.findLast((limits) => limits.nearing !== null)?.nearing?.thresholds ?? DEFAULT_NEARING,
    timeZone: ranked.findLast((limits) => limits.timeZone !== null)?.timeZone?.name ?? DEFAULT_TIME_ZONE,
  }
  const ceilings = ceilingsOf(parsed)
  const floors = floorsOf(parsed)
  const own = merged.entries.map((entry) => completeEntry(entry, scope))
  const under = applyCeilings(own, ceilings, merged.removed)
  const notices: Notice[] = [...ignoredRemovals(parsed), ...under.notices]
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
          message: `A ${layer} is left out, not removed: unlimited for ${meter} has no effect there.`,
          source,
        })),
    )
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
