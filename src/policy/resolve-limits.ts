import { type Action, DEFAULT_ACTION } from '../core/action.ts'
import { compareLimits, DEFAULT_NEARING, DEFAULT_TIME_ZONE, type Limit } from '../core/limit.ts'
import type { Layer } from '../core/limit-source.ts'
import { METER_NAMES, type Meter } from '../core/meter.ts'
import { applyCeilings } from './apply-ceilings.ts'
import { applyModelLimits } from './apply-model-limits.ts'
import { mergeLayers } from './merge-layers.ts'
import type { ParsedLimits, SetEntry } from './parsed-limits.ts'
import { type LayerInput, readLayers } from './read-layers.ts'
import { mergeKey, type Notice, type ResolvedLimits } from './resolved-limits.ts'

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
  const ceilings = operatorLimits(parsed, 'ceiling', (candidate, current) => candidate < current)
  const floors = operatorLimits(parsed, 'floor', (candidate, current) => candidate > current)
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

interface ScopeDefaults {
  readonly onLimit: Action
  readonly nearing: readonly number[]
  readonly timeZone: string
}

function completeEntry(entry: SetEntry, scope: ScopeDefaults): Limit {
  const { meter, max, per, source } = entry
  return {
    meter,
    max,
    per,
    timeZone: entry.timeZone ?? scope.timeZone,
    action: entry.action ?? scope.onLimit,
    nearing: entry.nearing ?? scope.nearing,
    source,
  }
}

/** An operator's limits take nothing from other layers: somebody's `onLimit: warn` must not soften a ceiling. */
function operatorLimits(
  parsed: readonly ParsedLimits[],
  layer: Layer,
  isStronger: (candidate: number, current: number) => boolean,
): readonly Limit[] {
  const strongest = new Map<string, Limit>()
  for (const limits of parsed) {
    if (limits.layer !== layer) continue
    const scope: ScopeDefaults = {
      onLimit: limits.onLimit?.action ?? DEFAULT_ACTION,
      nearing: limits.nearing?.thresholds ?? DEFAULT_NEARING,
      timeZone: limits.timeZone?.name ?? DEFAULT_TIME_ZONE,
    }
    for (const entry of limits.entries) {
      if (entry.kind === 'removal') continue
      const current = strongest.get(mergeKey(entry))
      if (current === undefined || isStronger(entry.max, current.max)) {
        strongest.set(mergeKey(entry), completeEntry(entry, scope))
      }
    }
  }
  return [...strongest.values()].sort(compareLimits)
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
    const values = limits.filter((limit) => limit.meter === meter && limit.per === null).map(({ max }) => max)
    return [meter, values.length === 0 ? null : Math.min(...values)] as const
  })
  return Object.fromEntries(maxima) as Record<Meter, number | null>
}
