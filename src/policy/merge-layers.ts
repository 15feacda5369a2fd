import type { ParsedLimits, SetEntry } from './parsed-limits.ts'
import { type LimitStep, mergeKey, type RemovedLimit } from './resolved-limits.ts'

/** What is left of the layers when each has replaced what lower ones wrote. */
export interface MergedLayers {
  readonly entries: readonly SetEntry[]
  /** Removals that hold: nobody set the meter again. */
  readonly removed: readonly RemovedLimit[]
  readonly history: readonly LimitStep[]
}

/** Merges layers, weakest first: per meter and period, the last one holds; a removal takes all periods of its meter. */
export function mergeLayers(weakestFirst: readonly ParsedLimits[]): MergedLayers {
  const held = new Map<string, SetEntry>()
  const removed = new Map<string, RemovedLimit>()
  const history: LimitStep[] = []
  for (const { entries } of weakestFirst) {
    for (const entry of entries) {
      if (entry.kind === 'removal') {
        for (const [key, { meter }] of held) if (meter === entry.meter) held.delete(key)
        removed.set(entry.meter, { meter: entry.meter, source: entry.source })
        history.push({ meter: entry.meter, per: null, max: null, source: entry.source })
      } else {
        held.set(mergeKey(entry), entry)
        removed.delete(entry.meter)
        history.push({ meter: entry.meter, per: entry.per, max: entry.max, source: entry.source })
      }
    }
  }
  return { entries: [...held.values()], removed: [...removed.values()], history }
}
