import type { Layer } from '../core/limit-source.ts'
import type { ParsedLimits } from './parsed-limits.ts'

/** The layers that replace each other, the one that wins last. */
const RANKED_LAYERS: readonly Layer[] = ['defaults', 'preset', 'user', 'project', 'environment', 'call']

/** Those of the layers that replace each other, the weakest first; within one layer the later wins. */
export function rankedLayers(parsed: readonly ParsedLimits[]): readonly ParsedLimits[] {
  return RANKED_LAYERS.flatMap((layer) => parsed.filter((limits) => limits.layer === layer))
}

/** Whether limits of the one layer hold at least as much as those of the other. */
export function isAsStrong(left: Layer, right: Layer): boolean {
  return RANKED_LAYERS.indexOf(left) >= RANKED_LAYERS.indexOf(right)
}
